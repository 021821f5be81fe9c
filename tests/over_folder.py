"""What every_file.py of each format shares: the real binary under limits, over every file of a folder.

    python3 tests/FORMAT/every_file.py BINARY CORPUS OUT [PART/PARTS]

Each file is saved without an edit, in which no byte may change, or refused with a code; what is edited after that, and
how it is judged, is up to the format. OUT gets what the format writes there and `report.json`, in which every file has
a line. With PART/PARTS every so many-th file is taken and OUT/PART is written, so that parts can run beside one another.
Nothing but Python is needed.
"""
import collections
import json
import pathlib
import random
import resource
import signal
import subprocess
import sys
import zipfile

MEMORY = 2 << 30
SECONDS = 60
# Read in the one format and written in the other, which leaves no bytes to compare.
CONVERTED = {".xls": ".xlsx"}


def run(binary, *arguments):
    """Exit code, the JSON that was printed, and what went wrong with the process itself."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        done = subprocess.run([binary, *arguments, "--json"], capture_output=True, timeout=SECONDS, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return None, {}, f"took more than {SECONDS} s"
    said = f"{done.stdout[-300:]} {done.stderr[-300:]}"
    try:
        answer = json.loads(done.stdout or done.stderr)
    except ValueError:
        answer = None
    wrong = None
    if done.returncode < 0:
        wrong = f"ended by {signal.Signals(-done.returncode).name}"
    elif done.returncode > 2 or b"panicked" in done.stderr or (done.returncode and "INTERNAL" in str(answer)):
        wrong = f"an internal error, exit {done.returncode}: {said}"
    elif answer is None:
        wrong = f"no JSON: {said}"
    return done.returncode, answer or {}, wrong


def parts(path):
    with zipfile.ZipFile(path) as archive:
        return {info.filename.replace("\\", "/"): archive.read(info) for info in archive.infolist() if not info.is_dir()}


class Case:
    """One file of the folder, with its line in the report. The same file has the same luck each time."""

    def __init__(self, command, name, path, out, number, lists, counts):
        self.command, self.path, self.out, self.number, self.lists, self.counts = command, path, out, number, lists, counts
        self.kind = path.suffix.lower()
        self.chance = random.Random(name)
        self.line = {"file": name, "wrong": []}

    def run(self, *arguments):
        return run(*self.command, *map(str, arguments))

    def wrong(self, text):
        self.line["wrong"].append(text)
        print(f"{self.line['file']}: {text}", flush=True)

    def not_edited(self, why, detail=""):
        self.counts[f"not edited: {why}"] += 1
        self.line["edits"] = f"{why} {detail}".strip()

    def opens(self):
        """Whether the file is read, and then saved as it is."""
        saved = self.out / f"saved{CONVERTED.get(self.kind, self.kind)}"
        code, answer, wrong = self.run("save", self.path, "-o", saved)
        if wrong:
            self.wrong(f"save: {wrong}")
        if code != 0:
            error = answer.get("error", {})
            said, self.line["message"] = f"refused: {error.get('code')}", error.get("message")
            if saved.exists():
                self.wrong("a refused file was written")
        elif self.kind in CONVERTED:
            said = "opened, converted"
        elif saved.read_bytes() == self.path.read_bytes():
            said = "opened, every byte the same"
        else:
            said = "opened, BYTES DIFFER"
            self.wrong("saving without an edit changed the file")
        saved.unlink(missing_ok=True)
        self.counts[said] += 1
        self.line["open"] = said
        return code == 0


def main(command, edit, lists):
    """`edit` is given each case that opens and is no other format now; `lists` names files that it writes lines to."""
    binary, corpus, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    files = sorted(path for path in corpus.rglob("*") if path.is_file())
    if len(sys.argv) > 4:
        part, of = map(int, sys.argv[4].split("/"))
        files, out = files[part::of], out / str(part)
    opened = {}
    for name in lists:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        opened[name] = open(out / name, "w", encoding="utf8")
    report, counts = [], collections.Counter()
    for number, path in enumerate(files):
        case = Case([str(binary), command], str(path.relative_to(corpus)), path, out, number, opened, counts)
        report.append(case.line)
        if case.opens() and case.kind not in CONVERTED:
            try:
                edit(case)
            except zipfile.BadZipFile as error:
                # Damaged where nobody looked: a part that no edit touches is copied as it is.
                case.not_edited("Python cannot unpack it", error)
    for each in opened.values():
        each.close()
    bad = sum(bool(line["wrong"]) for line in report)
    (out / "report.json").write_text(json.dumps({"counts": counts, "files": report}, indent=1, ensure_ascii=False))
    for what, count in sorted(counts.items()):
        print(f"{count:6} {what}")
    print(f"{len(files)} files, {bad} with something wrong")
    sys.exit(bool(bad))
