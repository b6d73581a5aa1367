"""Fine-tuning: a sentence encoder becomes a three-way cross-encoder.

Sized for two CPU cores: pairs end to end without padding, frozen word embeddings, no dropout (each pair is seen once). An
accelerator, where one is named, takes each batch at once.
Passes run through a copy of the model in bf16 while the optimiser keeps its own in fp32 (mixed precision with master
weights, Micikevicius et al. 2018): 1.4 times as fast as autocast, which converts every weight again for each part of a
batch. A processor without instructions for bf16 takes four times as long in it as in fp32: there both are fp32, and matrices
that are not trained are multiplied in 8 bits where that is faster. A batch is dealt out in small parts to workers of one thread each: threads inside an operation wait for one
another at each of thousands of operations a step, and on a busy machine that cut the pace from about 50 pairs a second
to 11; workers wait once a step.

Results of wide layers are tens of megabytes each: an allocator that gives them back to the system each time costs a third of
the time (jemalloc keeps them for a while with ``MALLOC_CONF=oversize_threshold:0,dirty_decay_ms:20000,muzzy_decay_ms:20000``;
kept for good, ``-1``, they fill a gigabyte more each minute where matrices are multiplied in 8 bits).

The learning rate falls with whichever runs out first, the pairs or the minutes, so a busy machine trains on fewer pairs but
always to the end of its schedule.
"""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch.nn import functional as F

from affidavit.training.low_rank import adapt, can_multiply_in_8_bits, in_8_bits, merge
from affidavit.training.network import Batch, CrossEncoder
from affidavit.training.pairs import Pair
from affidavit.training.restore import restored_state
from affidavit.training.settings import LABELS, NOT_ENTAILED, Settings

LEARNT = "learnt.safetensors"
"""What training at a low rank changed, beside the base that it began from: a small file to go on from."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A pair as word pieces."""

    ids: list[int]
    types: list[int]
    label: int
    """Index in ``LABELS``, or ``NOT_ENTAILED``: one of the two others, nobody said which."""
    claim: str = ""


Unit: TypeAlias = tuple[Encoded, ...]
"""What is learnt from together: a claim over evidence that bears it out and over evidence that does not, in this order; or
a pair that has no such twin."""


@dataclass(slots=True)
class Progress:
    """How far training has come; kept beside each checkpoint."""

    step: int = 0
    pairs: int = 0
    seconds: float = 0.0
    loss: float = 0.0


def load_tokenizer(base: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def encode(pairs: Sequence[Pair], tokenizer: Tokenizer, limit: int) -> list[Encoded]:
    """Pairs as word pieces, without those longer than ``limit``."""
    encodings = tokenizer.encode_batch([(p.premise, p.hypothesis) for p in pairs])
    return [
        Encoded(
            e.ids,
            e.type_ids,
            NOT_ENTAILED if p.label == "not_entailment" else LABELS.index(p.label),
            p.claim,
        )
        for p, e in zip(pairs, encodings, strict=True)
        if len(e.ids) <= limit
    ]


def units(items: Sequence[Encoded], rng: random.Random) -> list[Unit]:
    """Each claim's pairs two by two, one that holds and one that does not; what is left over alone."""
    sides: dict[str, tuple[list[Encoded], list[Encoded]]] = defaultdict(lambda: ([], []))
    alone: list[Unit] = []
    for item in rng.sample(items, len(items)):
        if item.claim:
            sides[item.claim][item.label != LABELS.index("entailment")].append(item)
        else:
            alone.append((item,))
    found = alone
    for holds, fails in sides.values():
        both = min(len(holds), len(fails))
        found += zip(holds[:both], fails[:both], strict=True)
        found += ((one,) for one in (*holds[both:], *fails[both:]))
    return found


def batches(items: Sequence[Encoded], size: int, rng: random.Random) -> list[list[Unit]]:
    """Shuffled batches of at least ``size`` pairs: any prefix of the epoch is a fair sample of the mix."""
    order = units(items, rng)
    rng.shuffle(order)
    return list(_grouped(order, size))


def _grouped(order: Iterable[Unit], size: int) -> Iterator[list[Unit]]:
    """Units one after another in groups of at least ``size`` pairs, but for the last."""
    group: list[Unit] = []
    for unit in order:
        group.append(unit)
        if sum(map(len, group)) >= size:
            yield group
            group = []
    if group:
        yield group


def together(pairs: Sequence[Encoded], device: torch.device | None = None) -> Batch:
    """Pairs end to end, on the CPU unless a device is given."""
    lengths = tuple(len(e.ids) for e in pairs)
    ids, types, places = (
        torch.tensor([x for part in parts for x in part], device=device)
        for parts in ([e.ids for e in pairs], [e.types for e in pairs], [range(n) for n in lengths])
    )
    return Batch(ids, types, places, lengths)


def fine_tune(items: Sequence[Encoded], settings: Settings, out: Path) -> Progress:
    """Train, or go on from the last checkpoint, and leave the model in ``out``."""
    torch.set_num_threads(1)
    device = torch.device(settings.device)
    threads = settings.threads if device.type == "cpu" else 1
    workers = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
    model = _base_model(settings).to(device)
    optimiser = _optimiser(model, settings)
    plan = batches(items, settings.batch, random.Random(settings.seed))
    checkpoint = out / "checkpoint"
    progress = _resume(model, optimiser, checkpoint)
    passes = deepcopy(model).to(_precision(device))
    if settings.rank and _is_faster_in_8_bits(passes):
        _round(passes, items, settings)
    started, saved = time.monotonic() - progress.seconds, progress.seconds
    for batch in plan[progress.step :]:
        done = _done(progress, len(plan), settings)
        if done >= 1:
            break
        _set_rate(optimiser, settings.learning_rate * _schedule(done, settings.warmup))
        loss = _step(model, passes, optimiser, batch, settings.label_smoothing, workers)
        progress.step += 1
        progress.pairs += sum(map(len, batch))
        progress.seconds = time.monotonic() - started
        progress.loss = 0.98 * progress.loss + 0.02 * loss if progress.step > 1 else loss
        if progress.step % 100 == 0:
            print(
                f"step {progress.step}/{len(plan)} pairs {progress.pairs} done {done:.3f} "
                f"loss {progress.loss:.4f} {progress.pairs / progress.seconds:.1f} pairs/s",
                flush=True,
            )
        if progress.seconds - saved > settings.checkpoint_minutes * 60:
            _save(model, optimiser, progress, checkpoint)
            saved = progress.seconds
    (out / "tuned").mkdir(parents=True, exist_ok=True)
    if settings.rank:
        learnt = {n: p.detach() for n, p in model.named_parameters() if p.requires_grad}
        save_file(learnt, str(out / "tuned" / LEARNT))
    model.cpu()
    merge(model.bert.encoder)
    if settings.keep:
        other = _base_model(settings)
        merge(other.bert.encoder)
        _average(model, other, settings.keep)
    save_file(model.state_dict(), str(out / "tuned" / "model.safetensors"))
    (out / "progress.json").write_text(json.dumps(asdict(progress)))
    return progress


def _precision(device: torch.device) -> torch.dtype:
    """What passes are computed in: bf16, unless the processor is faster in fp32."""
    if device.type != "cpu":
        return torch.bfloat16
    x, weight = torch.ones(512, 768), torch.ones(768, 512)

    def seconds_in(precision: torch.dtype) -> float:
        a, b = x.to(precision), weight.to(precision)
        return _seconds_of(lambda: a @ b)

    return min((torch.bfloat16, torch.float32), key=seconds_in)


def _seconds_of(product: Callable[[], object]) -> float:
    """The least of three times that it takes."""
    times: list[float] = []
    for _ in range(4):
        begun = time.perf_counter()
        product()
        times.append(time.perf_counter() - begun)
    return min(times[1:])


def _is_faster_in_8_bits(passes: CrossEncoder) -> bool:
    """Whether passes in fp32 on this processor gain by products in 8 bits."""
    trained = passes.classifier.weight
    if (
        trained.device.type != "cpu"
        or trained.dtype != torch.float32
        or not can_multiply_in_8_bits()
    ):
        return False
    x, weight = torch.ones(512, 768), torch.ones(768, 512)
    a, b = x.to(torch.int8), weight.to(torch.int8)
    return _seconds_of(lambda: torch._int_mm(a, b)) < _seconds_of(lambda: x @ weight)


def _round(passes: CrossEncoder, items: Sequence[Encoded], settings: Settings) -> None:
    """Multiply in 8 bits with what is not trained, as some of the pairs to be learnt from show how large its inputs are."""
    some = random.Random(settings.seed).sample(items, min(_SHOWN, len(items)))
    parts = [some[at : at + _PART] for at in range(0, len(some), _PART)]
    in_8_bits(passes.bert.encoder, lambda: [passes(together(part)) for part in parts])


def _average(model: CrossEncoder, other: CrossEncoder, share: float) -> None:
    """``model`` with a ``share`` of the weights of ``other``."""
    theirs = other.state_dict()
    with torch.no_grad():
        for name, value in model.state_dict().items():
            value.lerp_(theirs[name], share)


def _base_model(settings: Settings) -> CrossEncoder:
    torch.manual_seed(settings.seed)
    model = CrossEncoder(settings.base, len(LABELS))
    start = settings.start
    if start is not None and not start.is_file():
        _go_on_from(model, start)
    model.bert.embeddings.word_embeddings.requires_grad_(False)
    if settings.rank:
        adapt(model.bert.encoder, settings.rank)
    if start is not None and start.is_file():
        _take_up(model, start)
    return model.train()


def _take_up(model: CrossEncoder, learnt: Path) -> None:
    """Set what an earlier training at the same rank learnt.

    Raises:
        ValueError: the file is of another rank, or of another base.
    """
    known, held = load_file(learnt), model.state_dict()
    strange = [n for n, value in known.items() if n not in held or held[n].shape != value.shape]
    if strange:
        raise ValueError(
            f"{learnt} does not fit this base and rank ({strange[0]}): give the ones it was learnt with"
        )
    model.load_state_dict(known, strict=False)


def _go_on_from(model: CrossEncoder, packaged: Path) -> None:
    held = model.state_dict()
    with torch.no_grad():
        for name, value in restored_state(packaged).items():
            # Position embeddings past those that the packaged model kept stay the base's.
            held[name][: len(value)].copy_(torch.from_numpy(value))


def _optimiser(model: CrossEncoder, settings: Settings) -> torch.optim.AdamW:
    trained = _trained(model)
    groups = [
        {"params": [p for p in trained if p.ndim > 1], "weight_decay": settings.weight_decay},
        {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.learning_rate, betas=(0.9, 0.98), fused=True)


_SHOWN = 96
"""Pairs that show how large what goes into a matrix is, before it is rounded."""
_PART = 16
"""Pairs a worker takes at a time on a CPU: small enough that a slowed-down worker holds nobody up for long."""


def _step(
    model: CrossEncoder,
    passes: CrossEncoder,
    optimiser: torch.optim.Optimizer,
    batch: Sequence[Unit],
    smoothing: float,
    workers: ThreadPoolExecutor,
) -> float:
    """One step of the fp32 ``model`` on gradients of ``passes``, its copy, which then follows it."""
    kept, passed = _trained(model), _trained(passes)
    device = passed[0].device
    size = sum(map(len, batch))

    def part_of(part: Sequence[Unit]) -> tuple[float, tuple[torch.Tensor, ...]]:
        pairs = [pair for unit in part for pair in unit]
        logits = passes(together(pairs, device)).float()  # [part, 3]
        labels = torch.tensor([pair.label for pair in pairs], device=device)
        loss = (loss_of(logits, labels, smoothing) + ranking_loss(logits, part)) / size
        return float(loss.detach()), torch.autograd.grad(loss, passed)

    done = list(workers.map(part_of, _grouped(batch, _PART if device.type == "cpu" else size)))
    for parameter, *grads in zip(kept, *(grads for _, grads in done), strict=True):
        parameter.grad = torch.stack(grads).sum(0, dtype=torch.float32)
    torch.nn.utils.clip_grad_norm_(kept, 1.0)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    with torch.no_grad():
        torch._foreach_copy_(tuple(passed), tuple(kept))
    return sum(loss for loss, _ in done)


def ranking_loss(logits: torch.Tensor, part: Sequence[Unit]) -> torch.Tensor:
    """The summed logistic loss of each twin's order, from logits [pairs, 3] of all pairs of the ``part``.

    The likelihood of matched pairs (Breslow et al. 1978, conditional logistic regression): what a claim's words alone say is
    the same on both sides and drops out, so that only what the evidence says is learnt from.
    """
    entailed = LABELS.index("entailment")
    rest = [n for n in range(len(LABELS)) if n != entailed]
    odds = logits[:, entailed] - logits[:, rest].logsumexp(1)
    starts = accumulate((len(unit) for unit in part[:-1]), initial=0)
    holds = torch.tensor(
        [at for at, unit in zip(starts, part, strict=True) if len(unit) == 2],
        dtype=torch.long, device=logits.device,
    )  # fmt: skip
    return F.softplus(odds[holds + 1] - odds[holds]).sum()


def loss_of(logits: torch.Tensor, labels: torch.Tensor, smoothing: float) -> torch.Tensor:
    """The summed cross-entropy of logits [pairs, 3]; of a pair that is known not to be entailed, that of the two other
    labels together."""
    known = labels != NOT_ENTAILED
    loss = F.cross_entropy(logits[known], labels[known], label_smoothing=smoothing, reduction="sum")
    entailed = F.log_softmax(logits[~known], dim=1)[:, LABELS.index("entailment")]
    others = torch.log1p(-entailed.exp().clamp(max=1 - 1e-6))
    return loss - ((1 - smoothing) * others + smoothing * entailed).sum()


def _trained(model: CrossEncoder) -> list[torch.nn.Parameter]:
    return [p for p in model.parameters() if p.requires_grad]


def _done(progress: Progress, steps: int, settings: Settings) -> float:
    by_steps = progress.step / steps
    by_time = progress.seconds / (settings.minutes * 60) if settings.minutes else 0.0
    return max(by_steps, by_time)


def _schedule(done: float, warmup: float) -> float:
    """Linear up, linear down."""
    return done / warmup if done < warmup else max(0.0, (1 - done) / (1 - warmup))


def _set_rate(optimiser: torch.optim.Optimizer, rate: float) -> None:
    for group in optimiser.param_groups:
        group["lr"] = rate


def _save(
    model: CrossEncoder,
    optimiser: torch.optim.Optimizer,
    progress: Progress,
    place: Path,
) -> None:
    place.mkdir(parents=True, exist_ok=True)
    state: dict[str, Any] = {
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "progress": asdict(progress),
    }
    # Written beside and renamed, so that a stop while writing leaves the last one whole.
    torch.save(state, place / "state.part")
    (place / "state.part").replace(place / "state.pt")


def _resume(model: CrossEncoder, optimiser: torch.optim.Optimizer, place: Path) -> Progress:
    if not (place / "state.pt").exists():
        return Progress()
    where = next(model.parameters()).device
    state = torch.load(place / "state.pt", map_location=where, weights_only=True)
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    return Progress(**state["progress"])
