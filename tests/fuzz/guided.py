"""Drives the targets by coverage: `python -m tests.fuzz.guided [TARGET...] --seconds N`.

Inputs grow from the seeds. What breaks a target is kept in build/fuzz/TARGET/, and tried again, without the fuzzer, by
`python -m tests.fuzz.guided TARGET --again FILE`.
"""

import os
import re
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import FunctionType

import atheris

import engine
from server.warm import warm
from tests.fuzz.seeds import ROOT
from tests.fuzz.targets import TARGETS, Target

LAYERS = ("engine", "bots", "server")
WRAPPED = ("py_func", "__func__", "fget", "func", "__wrapped__")  # where what is made of a function keeps it
FOUND = ROOT / "build" / "fuzz"
TIMEOUT_S = 120  # for one input; a busy machine may well sleep for a minute
MEMORY_MIB = 4096
OWN_CHANGES = 0.5  # share of the inputs that are changed by what they say, not by their bytes


def ours() -> Iterator[FunctionType]:
    """Every function of ours that Python runs: also those of compiled rules, which it calls as they stand."""
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] in LAYERS]
    held = [value for module in modules for value in vars(module).values()]
    held += [value for kind in held if isinstance(kind, type) for value in vars(kind).values()]
    for value in held:
        for name in WRAPPED:
            value = getattr(value, name, value)
        if isinstance(value, FunctionType) and Path(value.__code__.co_filename).is_relative_to(ROOT):
            yield value


def instrument() -> None:
    """Lets the fuzzer see where an input leads; comes last, so that nothing is compiled with the fuzzer inside."""
    for function in set(ours()):
        atheris.instrument_func(function)


def some(seeds: Sequence[bytes], most: int) -> Sequence[bytes]:
    """At most so many of them, from the first to the last."""
    return seeds[:: -(-len(seeds) // most)]


def drive(name: str, target: Target, limits: Namespace) -> None:
    """Runs one target until it breaks or the limits are reached, which ends the process."""
    corpus = FOUND / name / "corpus"
    shutil.rmtree(corpus, ignore_errors=True)
    corpus.mkdir(parents=True)
    for i, seed in enumerate(some(target.seeds(), limits.seeds)):
        (corpus / f"seed-{i}").write_bytes(seed)

    def mutate(data: bytes, room: int, number: int) -> bytes:
        random = Random(number)
        made = target.mutate(data, random) if random.random() < OWN_CHANGES else atheris.Mutate(data, len(data) + 64)
        return bytes(made[:room])

    options = {"timeout": TIMEOUT_S, "rss_limit_mb": MEMORY_MIB, "artifact_prefix": f"{FOUND / name}/"}
    options |= {"max_total_time": limits.seconds, "runs": limits.runs, "seed": limits.seed, "print_final_stats": 1}
    arguments = [f"-{option}={value}" for option, value in options.items()]
    atheris.Setup([name, *arguments, str(corpus)], target.check, custom_mutator=mutate)
    atheris.Fuzz()


def driven(name: str, limits: Namespace) -> bool:
    """Runs one target in a process of its own and says what came of it; True when nothing broke."""
    log = FOUND / name / "log"
    log.parent.mkdir(parents=True, exist_ok=True)
    if not (child := os.fork()):
        with log.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        drive(name, TARGETS[name], limits)
        os._exit(0)
    whole = os.waitpid(child, 0)[1] == 0
    told = re.search(r"number_of_executed_units: (\d+)", log.read_text(errors="replace"))
    sys.stdout.write(f"{name}: {told[1] if told else 0} inputs, {'nothing found' if whole else f'broken: see {log}'}\n")
    sys.stdout.flush()
    return whole


def read_arguments() -> Namespace:
    parser = ArgumentParser("tests.fuzz.guided", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="Default: all of " + ", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=60, help="For each target (60).")
    parser.add_argument("--runs", type=int, default=-1, help="Inputs for each target (as many as there is time for).")
    parser.add_argument("--seeds", type=int, default=200, help="To start from, for each target, at most (200).")
    parser.add_argument("--seed", type=int, default=0, help="Of the fuzzer (0: drawn).")
    parser.add_argument("--again", type=Path, metavar="FILE", help="An input to try again.")
    arguments = parser.parse_args()
    arguments.targets = arguments.targets or list(TARGETS)
    if unknown := [name for name in arguments.targets if name not in TARGETS]:
        parser.error(f"no target {unknown[0]}: one of {', '.join(TARGETS)}")
    return arguments


def main() -> None:
    arguments = read_arguments()
    if arguments.again:
        for name in arguments.targets:
            taken = TARGETS[name].check(arguments.again.read_bytes())
            sys.stdout.write(f"{name}: {'taken' if taken else 'refused'}\n")
        return
    warm(engine.names(), lambda _: None)
    instrument()
    whole = [driven(name, arguments) for name in arguments.targets]  # all of them, whatever the first may find
    sys.exit(not all(whole))


if __name__ == "__main__":
    main()
