"""Published checkers: each is asked as its own documentation says, held here against that form written out by hand.

The networks are of the same architecture, tiny, with random weights: a form, a label or a window that differs gives
another number.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from affidavit.errors import ScorerError
from affidavit.models.entailment import load_entailment_model
from affidavit.models.entailment.checkers.chunks import chunks
from affidavit.models.entailment.protocol import ClaimScorer, Told

DOC = "The parcel left Leeds on Monday.\nIt weighs 3 kg {text2}."
CLAIM = "The parcel left on Monday. 1 0"
LONG = "\n".join(f"Row {n} of the log says that stage {n} is over." for n in range(90))
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A T5's tokenizer, whose first token of "0" is the mark of a word, as in the published ones."""
    from tokenizers import Tokenizer, decoders, pre_tokenizers, processors
    from tokenizers.models import Unigram

    place = tmp_path_factory.mktemp("t5")
    letters = [(chr(n), -6.0) for n in range(33, 127)]
    vocabulary = [
        ("<pad>", 0.0),
        ("</s>", 0.0),
        ("<unk>", 0.0),
        ("▁", -4.0),
        ("▁1", -3.0),
        *letters,
    ]
    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=2))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(place)
    return place


def t5_config(**more: Any) -> Any:
    return transformers.T5Config(
        vocab_size=99, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, decoder_start_token_id=0,
        initializer_factor=2.0, **more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def seq2seq(t5: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("seq2seq")
    torch.manual_seed(3)
    transformers.T5ForConditionalGeneration(t5_config()).save_pretrained(place)
    transformers.AutoTokenizer.from_pretrained(t5).save_pretrained(place)
    return place


def first_token(place: Path, text: str, zero: int, one: int) -> float:
    """One step of the decoder from token 0; the share of one of two tokens."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    model = transformers.T5ForConditionalGeneration.from_pretrained(place).eval()
    read = tokenizer([text], return_tensors="pt")
    with torch.no_grad():
        logits = model(
            input_ids=read.input_ids, attention_mask=read.attention_mask,
            decoder_input_ids=torch.zeros((1, 1), dtype=torch.long),
        ).logits[0, 0]  # fmt: skip
    return float(logits[[zero, one]].softmax(-1)[1])


@pytest.mark.spec("AFF-1411")
def test_minicheck_flan_t5(seq2seq: Path) -> None:
    (score,) = load_entailment_model(f"minicheck:flan-t5-large@{seq2seq}").score([(DOC, CLAIM)])
    wanted = first_token(seq2seq, f"predict: {DOC}</s>{CLAIM}", 3, 4)
    assert score.entailment == pytest.approx(wanted, abs=1e-6)
    assert 0.001 < wanted < 0.999
    assert (score.neutral, score.contradiction) == (1 - score.entailment, 0.0)


@pytest.mark.spec("AFF-1411")
def test_true(seq2seq: Path) -> None:
    (score,) = load_entailment_model(f"true-t5:{seq2seq}").score([(DOC, CLAIM)])
    wanted = first_token(seq2seq, f"premise: {DOC} hypothesis: {CLAIM}", 3, 4)
    assert score.entailment == pytest.approx(wanted, abs=1e-6)


@pytest.mark.spec("AFF-1411")
def test_long_evidence_is_read_in_chunks_and_the_best_counts(seq2seq: Path) -> None:
    """MiniCheck-Flan-T5 reads 500 words at once."""
    (score,) = load_entailment_model(f"minicheck:flan-t5-large@{seq2seq}").score([(LONG, "So.")])
    lines = LONG.splitlines()
    each = 500 // len(lines[0].split())
    parts = ["\n".join(lines[n : n + each]) for n in range(0, len(lines), each)]
    assert len(parts) == 2
    tokenizer = transformers.AutoTokenizer.from_pretrained(seq2seq)
    # This tokenizer has a token a letter, so that 500 words do not fit the window of 2,048 tokens either.
    fitting = [p for part in parts for p in chunks(part, 2048 - 12, lambda t: len(tokenizer(t, add_special_tokens=False).input_ids))]  # fmt: skip
    scores = [first_token(seq2seq, f"predict: {part}</s>So.", 3, 4) for part in fitting]
    assert score.entailment == pytest.approx(max(scores), abs=1e-6)


@pytest.fixture(scope="module", params=["roberta-large", "deberta-v3-large"])
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A classifier of MiniCheck's two encoders; 512 positions are all that the smaller one has."""
    place = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(5)
    small: dict[str, Any] = {
        "vocab_size": 120, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 16, "num_labels": 2, "initializer_range": 1.0,
    }  # fmt: skip
    if request.param == "roberta-large":
        config = transformers.RobertaConfig(max_position_embeddings=514, pad_token_id=1, **small)
        model, end = transformers.RobertaForSequenceClassification(config), "</s>"
    else:
        config = transformers.DebertaV2Config(
            relative_attention=True, pos_att_type=["p2c", "c2p"], max_position_embeddings=512, **small
        )  # fmt: skip
        model, end = transformers.DebertaV2ForSequenceClassification(config), "[SEP]"
    model.save_pretrained(place)
    _letters(place, end)
    return f"minicheck:{request.param}@{place}"


def _letters(place: Path, end: str, **more: Any) -> None:
    """A tokenizer with a token a word of the texts below, and one for all others."""
    from tokenizers import Tokenizer, pre_tokenizers, processors
    from tokenizers.models import WordLevel

    words = sorted(
        {word for text in (DOC, CLAIM, LONG) for word in text.replace(".", " .").split()}
    )
    vocabulary = {token: n for n, token in enumerate(["<s>", "<pad>", end, "<unk>", *words])}
    tokenizer = Tokenizer(WordLevel(dict(list(vocabulary.items())[:120]), unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"<s> $A {end}", pair=f"<s> $A {end} $B:1 {end}:1",
        special_tokens=[("<s>", 0), (end, 2)],
    )  # fmt: skip
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, cls_token="<s>", pad_token="<pad>", eos_token=end, sep_token=end,
        unk_token="<unk>", **more,
    ).save_pretrained(place)  # fmt: skip


@pytest.mark.spec("AFF-1411")
def test_minicheck_encoders(encoder: str) -> None:
    place = encoder.partition("@")[2]
    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(place).eval()
    end = tokenizer.eos_token

    def wanted(document: str) -> float:
        # One text, not a pair: the token between them stands once.
        read = tokenizer([f"{document}{end}{CLAIM}"], return_tensors="pt")
        with torch.no_grad():
            return float(model(**read).logits.softmax(-1)[0, 1])

    made = load_entailment_model(encoder)
    (score, longer) = made.score([(DOC, CLAIM), (LONG, CLAIM)])
    assert score.entailment == pytest.approx(wanted(DOC), abs=1e-6)
    lines = LONG.splitlines()
    of_line = len(tokenizer(lines[0], add_special_tokens=False).input_ids)
    each = 400 // of_line
    parts = ["\n".join(lines[n : n + each]) for n in range(0, len(lines), each)]
    assert len(parts) > 1
    assert longer.entailment == pytest.approx(max(map(wanted, parts)), abs=1e-6)


@pytest.mark.spec("AFF-1411")
def test_hhem_without_its_own_code(t5: Path, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    torch.manual_seed(9)
    config = t5_config(num_labels=2)
    model = transformers.T5ForTokenClassification(config).eval()
    foundation = tmp_path / "foundation"
    config.save_pretrained(foundation)
    transformers.AutoTokenizer.from_pretrained(t5).save_pretrained(foundation)
    weights = {f"t5.{key}": value.clone() for key, value in model.state_dict().items()}
    save_file({k: v for k, v in weights.items() if "embed_tokens" not in k}, tmp_path / "model.safetensors")  # fmt: skip
    (tmp_path / "config.json").write_text(
        json.dumps({"model_type": "HHEMv2", "foundation": str(foundation)})
    )
    (score,) = load_entailment_model(f"hhem:{tmp_path}").score([(DOC, CLAIM)])
    text = f"<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {DOC}\n\nHypothesis: {CLAIM}"
    read = transformers.AutoTokenizer.from_pretrained(t5)([text], return_tensors="pt")
    with torch.no_grad():
        logits = model(input_ids=read.input_ids, attention_mask=read.attention_mask).logits
    assert score.entailment == pytest.approx(float(logits[0, 0].softmax(-1)[1]), abs=1e-5)
    save_file({"other": torch.zeros(1)}, tmp_path / "model.safetensors")
    with pytest.raises(ScorerError, match="weights are not those"):
        load_entailment_model(f"hhem:{tmp_path}").score([(DOC, CLAIM)])


@pytest.fixture(scope="module")
def lettuce(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("lettuce")
    torch.manual_seed(11)
    config = transformers.ModernBertConfig(
        vocab_size=120, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16,
        num_labels=2, initializer_range=1.0, pad_token_id=1, cls_token_id=0, sep_token_id=2, bos_token_id=0,
        eos_token_id=2, max_position_embeddings=4096, attn_implementation="eager",
    )  # fmt: skip
    transformers.ModernBertForTokenClassification(config).save_pretrained(place)
    _letters(place, "[SEP]", model_max_length=300)
    return place


def marked(place: Path, form: str, claim: str) -> list[float]:
    """The chance of label 1 of each token of the answer."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    model = transformers.AutoModelForTokenClassification.from_pretrained(place).eval()
    read = tokenizer(form, claim, return_tensors="pt")
    length = len(tokenizer(claim, add_special_tokens=False).input_ids)
    with torch.no_grad():
        logits = model(input_ids=read.input_ids, attention_mask=read.attention_mask).logits[0]
    return [float(p) for p in logits.softmax(-1)[-1 - length : -1, 1]]


@pytest.mark.spec("AFF-1411")
def test_lettucedetect_with_question_and_passages(lettuce: Path) -> None:
    made = load_entailment_model(f"lettucedetect:{lettuce}")
    assert isinstance(made, ClaimScorer)
    sources = (Told("tool_result", DOC, "get_parcel"), Told("user", "Where is it? {question}"))
    (score,) = made.score_claims([(sources, CLAIM)], "Did the parcel {passages} leave?")
    assert not isinstance(score, ScorerError)
    form = (
        "Briefly answer the following question:\nDid the parcel {passages} leave?\n"
        "Bear in mind that your response should be strictly based on the following 2 passages:\n"
        f"passage 1: {DOC}\npassage 2: Where is it? {{question}}\n"
        "In case the passages do not contain the necessary information to answer the question, please reply with: "
        '"Unable to answer based on given passages."\noutput:'
    )
    assert score.entailment == pytest.approx(1 - max(marked(lettuce, form, CLAIM)), abs=1e-5)
    (bare,) = made.score([(DOC, CLAIM)])
    form = f"Summarize the following text:\npassage 1: {DOC}\noutput:"
    assert bare.entailment == pytest.approx(1 - max(marked(lettuce, form, CLAIM)), abs=1e-5)


@pytest.mark.spec("AFF-1411")
def test_passages_that_do_not_fit_at_once_go_in_groups(lettuce: Path) -> None:
    made = load_entailment_model(f"lettucedetect:{lettuce}")
    assert isinstance(made, ClaimScorer)
    halves = [Told("tool_result", part) for part in (LONG[:900], LONG[900:1800])]
    (score,) = made.score_claims([(halves, CLAIM)])
    alone = [made.score([(half.text, CLAIM)])[0].entailment for half in halves]
    assert not isinstance(score, ScorerError)
    assert score.entailment == pytest.approx(min(alone), abs=1e-5)


class Server(BaseHTTPRequestHandler):
    """An OpenAI-compatible server of a model that says yes, with these probabilities of tokens."""

    likely: tuple[tuple[str, float], ...] | None = ()
    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        told = [{"token": t, "logprob": math.log(p), "bytes": None} for t, p in self.likely or ()]
        first = {"token": "Yes", "logprob": -0.1, "bytes": None, "top_logprobs": told}
        choice = {
            "index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": "Yes"},
            "logprobs": None if self.likely is None else {"content": [first], "refusal": None},
        }  # fmt: skip
        body = json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [choice],
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def server() -> Iterator[tuple[type[Server], str]]:
    class Own(Server):
        asked: list[dict[str, Any]] = []  # noqa: RUF012

    made = ThreadingHTTPServer(("127.0.0.1", 0), Own)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield Own, f"http://127.0.0.1:{made.server_port}/v1"
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.mark.spec("AFF-1411")
def test_the_large_minicheck_is_asked_for_the_chance_of_yes(
    server: tuple[type[Server], str],
) -> None:
    own, url = server
    own.likely = (("Yes", 0.6), ("No", 0.2), (" yes", 0.1), ("Maybe", 0.05))
    made = load_entailment_model(f"minicheck-7b:bespoke@{url}")
    (score,) = made.score([(DOC, CLAIM)])
    assert score.entailment == pytest.approx(0.7) and score.contradiction == 0.0
    (asked,) = own.asked
    assert asked["messages"][1] == {"role": "user", "content": f"Document: {DOC}\nClaim: {CLAIM}"}
    assert asked["messages"][0]["content"].endswith('responding with either "Yes" or "No".')
    assert (asked["model"], asked["max_tokens"], asked["temperature"]) == ("bespoke", 1, 0)
    own.likely = None
    with pytest.raises(ScorerError, match="does not tell the probabilities"):
        made.score([(DOC, CLAIM)])


@pytest.mark.spec("AFF-1411")
@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("minicheck:gpt", "expected one of roberta-large"),
        ("minicheck-7b:name", "expected minicheck-7b:NAME@BASE_URL"),
        ("hhem:/no/such/place", "did not load"),
        ("true-t5:/no/such/place", "did not load"),
        ("lettucedetect:/no/such/place", "did not load"),
        ("minicheck:flan-t5-large@/no/such/place", "did not load"),
    ],
)
def test_what_cannot_be_loaded_says_so(spec: str, told: str) -> None:
    with pytest.raises(ScorerError, match=told):
        load_entailment_model(spec).score([("a", "b")])


@pytest.mark.parametrize("most", [5, 40, 400])
def test_chunks_leave_nothing_out(most: int) -> None:
    text = f"{LONG}\n{'word ' * 60}\n\nlast"
    found = chunks(text, most, lambda part: len(part.split()))
    assert " ".join(found).split() == text.split()
    assert all(len(part.split()) <= most for part in found)
    assert chunks("", most, len) == [""]
