"""The Google GenAI adapter with the major version that Google ADK resolves, one behind the newest."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import google.genai

FILE = Path(__file__).parents[1] / "google_genai" / "test_google_genai.py"
spec = spec_from_file_location("test_google_genai", FILE)
assert spec is not None and spec.loader is not None
module = module_from_spec(spec)
spec.loader.exec_module(module)

test_contract = module.test_contract
test_what_cannot_be_guarded_is_refused = module.test_what_cannot_be_guarded_is_refused


def test_it_is_the_one_before() -> None:
    assert google.genai.__version__.startswith("2.")
