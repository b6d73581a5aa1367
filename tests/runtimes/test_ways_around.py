"""Nothing that a model says goes around a guarded client, by whatever path."""

import asyncio
import json
from typing import Any

import pytest

from affidavit.policy import Policy
from affidavit.runtimes.anthropic import guard_client as guard_anthropic
from affidavit.runtimes.aws_frames import read_frames, write_frame
from affidavit.runtimes.contract import ModelTurn
from affidavit.runtimes.contract.look_alikes import OwnEvidence, answer_of, limit_of
from affidavit.runtimes.contract.providers import (
    anthropic_events,
    anthropic_message,
    chat_chunks,
    chat_completion,
    responses_events,
    responses_response,
)
from affidavit.runtimes.google_routes import ROUTES as GOOGLE
from affidavit.runtimes.openai import guard_client as guard_openai
from affidavit.runtimes.sse import write_event
from affidavit.runtimes.transport import inner_library

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
httpx = inner_library(openai.OpenAI(api_key="k")._client)

# The detector of these tests lets out a limit that the run's messages hold: user 1's, and no other.
TRUE, FALSE = answer_of(1), answer_of(2)
ASK = f"My limit is {limit_of(1)}. What is my limit?"
MESSAGES: list[Any] = [{"role": "user", "content": ASK}]
CLAUDE: dict[str, Any] = {"model": "claude-x", "max_tokens": 9, "messages": MESSAGES}
REFUSED = "can't give you"


class Api:
    """A model API that says what it is given to say, one after another, and keeps what it was asked."""

    def __init__(self, *replies: Any) -> None:
        self.left, self.asked = list(replies), list[Any]()

    def http(self) -> Any:
        return httpx.Client(transport=httpx.MockTransport(self.respond))

    def respond(self, request: Any) -> Any:
        self.asked.append(request)
        reply = self.left.pop(0) if self.left else {}
        if isinstance(reply, bytes):
            return httpx.Response(200, content=reply)
        return httpx.Response(200, json=reply)


def openai_client(api: Api, cls: Any = openai.OpenAI, **how: Any) -> Any:
    of_client = how.pop("of_client", {})
    own = cls(api_key="k", max_retries=0, http_client=api.http(), **of_client)
    return guard_openai(own, OwnEvidence(), **how)


def anthropic_client(api: Api, cls: Any = anthropic.Anthropic, **of_client: Any) -> Any:
    return guard_anthropic(cls(max_retries=0, http_client=api.http(), **of_client), OwnEvidence())


VERTEX = {"access_token": "t", "region": "us-east5", "project_id": "p"}
BEDROCK = {"api_key": "k", "aws_region": "us-east-1"}
CLOUDS = [
    (anthropic.Anthropic, {"api_key": "k"}),
    (anthropic.AnthropicVertex, VERTEX),
    (anthropic.AnthropicBedrock, BEDROCK),
    (anthropic.AnthropicFoundry, {"api_key": "k", "resource": "r"}),
]


@pytest.mark.parametrize(("cls", "how"), CLOUDS)
def test_every_cloud_of_claude_is_guarded(cls: Any, how: Any) -> None:
    api = Api(*(anthropic_message(ModelTurn(text)) for text in (FALSE, TRUE)))
    message = anthropic_client(api, cls, **how).messages.create(**CLAUDE)
    assert message.content[0].text == TRUE
    assert len(api.asked) == 2
    assert api.asked[0].url.path == api.asked[1].url.path


@pytest.mark.parametrize(("cls", "how"), CLOUDS)
def test_every_cloud_of_claude_is_guarded_in_streams(cls: Any, how: Any) -> None:
    write: Any = write_event
    if cls is anthropic.AnthropicBedrock:
        pytest.importorskip("botocore")
        write = write_frame
    api = Api(*(b"".join(map(write, anthropic_events(ModelTurn(text)))) for text in (FALSE, TRUE)))
    with anthropic_client(api, cls, **how).messages.stream(**CLAUDE) as stream:
        assert stream.get_final_text() == TRUE


def test_frames_of_amazon_are_guarded_and_checked() -> None:
    api = Api(*(b"".join(map(write_frame, anthropic_events(ModelTurn(t)))) for t in (FALSE, TRUE)))
    client = anthropic_client(api, anthropic.AnthropicBedrock, **BEDROCK)
    path = "/model/claude-x/invoke-with-response-stream"
    body = {"messages": MESSAGES, "max_tokens": 9, "anthropic_version": "bedrock-2023-05-31"}
    url = f"https://bedrock.example{path}"
    raw = client._client.post(url, json=body).content

    async def read() -> list[Any]:
        async def cut() -> Any:
            for i in range(0, len(raw), 7):
                yield raw[i : i + 7]

        return [event async for event in read_frames(cut())]

    deltas = [e["delta"] for e in asyncio.run(read()) if e["type"] == "content_block_delta"]
    assert "".join(delta["text"] for delta in deltas) == TRUE


def test_a_request_that_was_signed_is_signed_anew() -> None:
    pytest.importorskip("botocore")
    api = Api(*(anthropic_message(ModelTurn(text)) for text in (FALSE, TRUE)))
    keys = {"aws_access_key": "a", "aws_secret_key": "s", "aws_region": "us-east-1"}
    client = anthropic_client(api, anthropic.AnthropicBedrock, **keys)
    assert client.messages.create(**CLAUDE).content[0].text == TRUE
    signatures = [request.headers["authorization"] for request in api.asked]
    assert len(set(signatures)) == 2
    assert all(signature.startswith("AWS4-HMAC-SHA256") for signature in signatures)


AZURE = {"azure_endpoint": "https://house.example", "api_version": "2024-10-21"}
FILTERED = {"hate": {"filtered": False, "severity": "safe"}}


def azures(text: str) -> Any:
    """As Azure answers: with what its content filters found."""
    whole = chat_completion(ModelTurn(text))
    whole["choices"][0]["content_filter_results"] = FILTERED
    found = [{"prompt_index": 0, "content_filter_results": FILTERED}]
    return {**whole, "prompt_filter_results": found, "system_fingerprint": "fp"}


def azures_stream(text: str) -> bytes:
    found = [{"prompt_index": 0, "content_filter_results": FILTERED}]
    first = {"id": "", "object": "", "model": "", "created": 0, "choices": [],
             "prompt_filter_results": found}  # fmt: skip
    late = {**first, "choices": [{
        "index": 0, "finish_reason": None, "content_filter_results": FILTERED,
        "content_filter_offsets": {"check_offset": 0, "start_offset": 0, "end_offset": 9},
    }]}  # fmt: skip
    events = [first, *chat_chunks(ModelTurn(text)), late]
    return b"".join(map(write_event, events)) + b"data: [DONE]\n\n"


@pytest.mark.parametrize("stream", [False, True])
def test_azure_is_guarded(stream: bool) -> None:
    made: Any = azures_stream if stream else azures
    api = Api(made(FALSE), made(TRUE))
    client = openai_client(api, openai.AzureOpenAI, of_client=AZURE)
    asked = client.chat.completions.create(model="m", messages=MESSAGES, stream=stream)
    if stream:
        deltas = [c.choices[0].delta for c in asked if c.choices]
        assert "".join(d.content or "" for d in deltas if d) == TRUE
    else:
        assert asked.choices[0].message.content == TRUE


def test_what_azures_filter_stopped_is_no_error() -> None:
    stopped = azures("")
    stopped["choices"][0].update(finish_reason="content_filter", message={"role": "assistant"})
    client = openai_client(Api(stopped), openai.AzureOpenAI, of_client=AZURE)
    asked = client.chat.completions.create(model="m", messages=MESSAGES)
    assert asked.choices[0].finish_reason == "content_filter"


@pytest.mark.parametrize(
    "path",
    [
        "/chat/completions/",
        "/chat//completions",
        "/openai/deployments/d/chat/completions",
        "/chat%2Fcompletions",
        "/responses/",
        "/completions/",
    ],
)
def test_a_path_may_be_written_in_other_ways(path: str) -> None:
    body: dict[str, Any] = {"model": "m", "messages": MESSAGES}
    if path == "/responses/":
        body = {"model": "m", "input": ASK}
        made: Any = responses_response(ModelTurn(FALSE))
    elif path == "/completions/":
        body, made = {"model": "m", "prompt": ASK}, completion(FALSE)
    else:
        made = chat_completion(ModelTurn(FALSE))
    api = Api(*[made] * 3)
    told = openai_client(api).post(path, body=body, cast_to=object)
    assert FALSE not in json.dumps(told)
    assert REFUSED in json.dumps(told)


@pytest.mark.parametrize(
    "path",
    [
        "/answers",
        "/chat/completions/stream",
        "/models/../responses/r1",
        "/responses/r1/input_items",
        "/v2/anything",
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_path_that_is_not_known_is_refused(path: str, method: str) -> None:
    api = Api()
    with pytest.raises(openai.PermissionDeniedError, match="allow_unguarded"):
        getattr(openai_client(api), method)(path, cast_to=object)
    assert api.asked == []


@pytest.mark.parametrize("pattern", ["files/*/content", "/v1/files/f1/content", "files/*"])
def test_a_deployment_may_open_a_path(pattern: str) -> None:
    api = Api(b"what a batch answered")
    client = openai_client(api, allow_unguarded=[pattern])
    assert client.files.content("f1").text == "what a batch answered"


def test_what_is_guarded_is_not_opened() -> None:
    api = Api(*[chat_completion(ModelTurn(FALSE))] * 3)
    client = openai_client(api, allow_unguarded=["*"])
    told = client.chat.completions.create(model="m", messages=MESSAGES)
    assert REFUSED in told.choices[0].message.content


def test_websockets_are_refused_and_survive_options() -> None:
    pytest.importorskip("websockets")
    client = openai_client(Api()).with_options(timeout=1)
    with pytest.raises(TypeError, match="cannot be guarded"), client.responses.connect():
        pass


@pytest.mark.parametrize("body", [b"[]", b"", b"<html></html>", b"\x1f\x8b\x08\x00"])
def test_a_body_that_cannot_be_read_is_not_sent(body: bytes) -> None:
    api = Api(chat_completion(ModelTurn(FALSE)))
    answer = openai_client(api)._client.post("https://x.example/v1/chat/completions", content=body)
    assert answer.status_code == 400
    assert api.asked == []


def completion(text: str) -> Any:
    return {
        "id": "cmpl_1", "object": "text_completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "text": text, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }  # fmt: skip


def completion_stream(text: str) -> bytes:
    whole = completion(text)
    words = [f"{word} " for word in text.split()]
    chunks = [
        {
            **whole,
            "usage": None,
            "choices": [{**whole["choices"][0], "text": w, "finish_reason": None}],
        }
        for w in words
    ]
    end = {**whole, "choices": [{**whole["choices"][0], "text": ""}]}
    return b"".join(map(write_event, [*chunks, end])) + b"data: [DONE]\n\n"


def test_legacy_completions_are_guarded() -> None:
    api = Api(completion(FALSE), completion(TRUE))
    made = openai_client(api).completions.create(model="m", prompt=ASK)
    assert made.choices[0].text == TRUE
    assert made.usage.total_tokens == 30
    assert limit_of(2) in json.loads(api.asked[1].content)["prompt"]


def test_legacy_completions_are_guarded_in_streams() -> None:
    api = Api(completion_stream(FALSE), completion_stream(TRUE))
    chunks = openai_client(api).completions.create(model="m", prompt=ASK, stream=True)
    assert "".join(c.choices[0].text for c in chunks if c.choices).strip() == TRUE


@pytest.mark.parametrize(
    "how", [{"n": 2}, {"best_of": 3}, {"echo": True}, {"suffix": "!"}, {"prompt": ["a", "b"]}]
)
def test_completions_that_cannot_be_checked_are_refused(how: Any) -> None:
    with pytest.raises(openai.BadRequestError, match="affidavit"):
        openai_client(Api()).completions.create(**{"model": "m", "prompt": ASK, **how})


@pytest.mark.parametrize("stream", [False, True])
def test_a_response_is_given_back_as_it_was_let_out(stream: bool) -> None:
    turns = [ModelTurn(FALSE) for _ in range(1 + Policy().max_revisions)]
    made: list[Any] = [responses_response(turn, n) for n, turn in enumerate(turns, 1)]
    if stream:
        events = [responses_events(turn, n) for n, turn in enumerate(turns, 1)]
        made = [b"".join(map(write_event, told)) for told in events]
    api = Api(*made)
    client = openai_client(api)
    if stream:
        with client.responses.stream(model="m", input=ASK) as answer:
            first = answer.get_final_response()
    else:
        first = client.responses.create(model="m", input=ASK)
    asked = len(api.asked)
    again = client.responses.retrieve(first.id)
    assert REFUSED in first.output_text
    assert again.output_text == first.output_text
    assert len(api.asked) == asked
    for unknown in {f"resp_{n}" for n in range(1, 5)} - {first.id}:
        with pytest.raises(openai.PermissionDeniedError, match="nothing is known"):
            client.responses.retrieve(unknown)
    with pytest.raises(openai.PermissionDeniedError, match="stream"):
        client.responses.retrieve(first.id, stream=True)
    client.responses.delete(first.id)
    with pytest.raises(openai.PermissionDeniedError):
        client.responses.retrieve(first.id)


def test_a_stored_completion_is_given_back_as_it_was_let_out() -> None:
    api = Api(*[chat_completion(ModelTurn(FALSE))] * 3)
    client = openai_client(api)
    first = client.chat.completions.create(model="m", messages=MESSAGES, store=True)
    again = client.chat.completions.retrieve(first.id)
    assert REFUSED in again.choices[0].message.content
    with pytest.raises(openai.PermissionDeniedError):
        openai_client(api).chat.completions.retrieve(first.id)


@pytest.mark.parametrize(
    ("method", "path", "standing"),
    [
        ("POST", "/v1beta/models/m:generateContent", "guarded"),
        ("POST", "/v1beta/models/m:streamGenerateContent/", "guarded"),
        (
            "POST",
            "/v1/projects/p/locations/l/publishers/google/models/m:generateContent",
            "guarded",
        ),
        ("GET", "/v1beta/models/m:generateContent", "unknown"),
        ("GET", "/v1beta/models/m", "harmless"),
        ("POST", "/v1beta/models/m:somethingNew", "unknown"),
        ("GET", "/v1beta/batches/b", "refused"),
    ],
)
def test_a_verb_of_google_is_looked_up_by_itself(method: str, path: str, standing: str) -> None:
    assert GOOGLE.of(method, path).standing == standing


def test_a_method_that_is_named_elsewhere_is_refused() -> None:
    api = Api()
    with pytest.raises(openai.PermissionDeniedError):
        openai_client(api).models.list(extra_headers={"X-HTTP-Method-Override": "POST"})
    assert api.asked == []


@pytest.mark.parametrize("broken", ["error", "cut off", "damaged"])
def test_a_stream_of_amazons_that_fails_is_an_error_after_what_was_verified(broken: str) -> None:
    pytest.importorskip("botocore")
    events = list(anthropic_events(ModelTurn(f"{TRUE} Order A-1001 has shi")))
    begun = b"".join(map(write_frame, events[:-3]))
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    end = {
        "error": write_frame(error),
        "cut off": b"",
        "damaged": write_frame(events[-1])[:-1] + b"x",
    }
    client = anthropic_client(Api(begun + end[broken]), anthropic.AnthropicBedrock, **BEDROCK)
    seen = list[str]()

    def read() -> None:
        for event in client.messages.create(**CLAUDE, stream=True):
            seen.append(getattr(getattr(event, "delta", None), "text", None) or "")

    with pytest.raises(anthropic.APIError):
        read()
    assert "".join(seen).strip() == TRUE
