"""Shows made pairs: ``python -m affidavit.training.pairs.made --show 20 --seed 1 [--family change]``."""

from __future__ import annotations

import argparse
import random

from affidavit.training.pairs.made import FAMILIES, made_pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=20, metavar="PAIRS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", choices=[family.name for family in FAMILIES], nargs="+")
    args = parser.parse_args()
    wanted = [family for family in FAMILIES if not args.family or family.name in args.family]
    for n, pair in enumerate(made_pairs(random.Random(args.seed), args.show, wanted)):
        if n % 2 == 0:
            print(f"\n{pair.subject.partition(':')[0]} | {pair.hypothesis}")
        print(f"  {'holds' if pair.label == 'entailment' else 'fails'} | {pair.premise}")


if __name__ == "__main__":
    main()
