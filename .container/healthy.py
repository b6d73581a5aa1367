"""Whether what this container serves answers: exit code 0 if it does."""

from __future__ import annotations

import os
import sys
import urllib.request


def main() -> int:
    port = int(os.environ.get("AFFIDAVIT_PORT", "8378"))
    # Not through a proxy that the environment names: it is asked of this container itself.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{port}/health", timeout=4) as answer:
            return 0 if answer.status == 200 else 1
    except OSError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
