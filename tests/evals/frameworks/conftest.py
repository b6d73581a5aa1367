"""What these packages are told before they are imported."""

from __future__ import annotations

import os

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"  # tests ask nothing of the network
