#!/usr/bin/env python3
"""The independent validators over every pair that the corpus tests wrote, as a report of counts.

    DOCWRIGHT_PAIRS=/tmp/pairs cargo test --release -p word --test it -- editing kinds
    python3 tests/word/every_pair.py /tmp/pairs [--kinds all-plain,all-tracked] [--only sdk,lo,…] [--minutes 30] [--part 1/2]

Each file is looked at once by each validator, and what was found is kept beside the pairs, so that
a run can be stopped and taken up again; `--part 1/2` takes every second file, for two processes. A problem counts where the saved file has more of it than the file it was
made from. Pairs that were not reached are counted too. The exit code is 1 where there is a new problem.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import sys
import time

CHECK = pathlib.Path(__file__).resolve().parents[3] / "shared/check"
HOME = pathlib.Path(os.environ.get("DOCWRIGHT_CHECK_HOME", pathlib.Path.home() / ".cache/docwright-check"))


def validators():
    """The module beside the corpus, in the Python that has what it needs."""
    python = HOME / "venv/bin/python"
    if pathlib.Path(sys.prefix).resolve() != (HOME / "venv").resolve():
        if not python.exists():
            sys.exit(f"SKIPPED: the validators are not installed; run {CHECK}/setup")
        os.execv(python, [str(python), *sys.argv])
    sys.path.insert(0, str(CHECK))
    import validate

    return validate


class Found:
    """Problems by the file's bytes and the validator."""

    def __init__(self, module, only, path):
        self.module, self.only, self.path = module, only, path
        self.known = json.loads(path.read_text()) if path.exists() else {}

    def problems(self, file, only):
        digest = hashlib.sha1(pathlib.Path(file).read_bytes()).hexdigest()
        known = self.known.setdefault(digest, {})
        missing = [name for name in only if name not in known]
        if missing:
            # The cheap ones read what the others need, and are run with them.
            base = [name for name in ("zip", "xml", "ct", "rels") if set(missing) - {"sdk", "lo", "py", "pandoc"}]
            document = self.module.validate(file, [name for name in self.module.ORDER if name in set(missing) | set(base)])
            for name in missing:
                known[name] = [problem for problem in document.P if problem.split("|", 1)[0] == name]
        return [problem for name in only for problem in known[name]]

    def new(self, before, after):
        """What the saved file has more of. Where it has no problem at all, the other one need not be looked at."""
        problems = collections.Counter(self.problems(after, self.only))
        if problems:
            problems -= collections.Counter(self.problems(before, sorted({problem.split("|", 1)[0] for problem in problems})))
        return problems

    def keep(self):
        self.path.write_text(json.dumps(self.known))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--kinds", default="")
    arguments.add_argument("--only", default="zip,xml,ct,rels,xsd,sem,sdk,py,lo")
    arguments.add_argument("--minutes", type=float, default=600)
    arguments.add_argument("--part", default="1/1")
    arguments = arguments.parse_args()
    module = validators()
    os.environ.setdefault("DOTNET_TieredPGO", "0")
    only = [name for name in module.ORDER if name in arguments.only.split(",")]
    kinds = arguments.kinds.split(",") if arguments.kinds else sorted(p.parent.name for p in arguments.folder.glob("*/pairs.tsv"))
    pairs = []
    for kind in kinds:
        for line in (arguments.folder / kind / "pairs.tsv").read_text().splitlines():
            before, after = line.split("\t")
            pairs.append((before, kind, after))
    part, parts = map(int, arguments.part.split("/"))
    chosen = set(sorted({before for before, _, _ in pairs})[part - 1 :: parts])
    pairs = sorted(pair for pair in pairs if pair[0] in chosen)
    found = Found(module, only, arguments.folder / f"found-{'-'.join(only)}-{part}-{parts}.json")
    end = time.time() + arguments.minutes * 60
    done, clean, new, left = collections.Counter(), collections.Counter(), collections.defaultdict(list), collections.Counter()
    for number, (before, kind, after) in enumerate(pairs):
        if time.time() > end:
            left[kind] += 1
            continue
        extra = found.new(before, after)
        done[kind] += 1
        clean[kind] += not extra
        for problem in extra:
            new[kind, problem].append((before, after))
            print(f"NEW {kind} {problem}\n    {before}\n    {after}", flush=True)
        if number % 20 == 19:
            found.keep()
            print(f"… {number + 1} of {len(pairs)}", flush=True)
    module.LOP.close()
    found.keep()
    print(f"validators: {', '.join(only)}; {len({before for before, _, _ in pairs})} files, {len(pairs)} pairs")
    for kind in kinds:
        print(f"{kind:22} {done[kind]:5} checked {clean[kind]:5} without a new problem {left[kind]:5} not reached")
    by_validator = collections.Counter()
    for (kind, problem), files in sorted(new.items()):
        by_validator[problem.split("|", 1)[0]] += len(files)
        print(f"  {kind}: {problem}: {len(files)} files, {files[0][1]}")
    print("new problems:", ", ".join(f"{name} {by_validator[name]}" for name in only))
    sys.exit(bool(new))


if __name__ == "__main__":
    main()
