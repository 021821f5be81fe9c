#!/usr/bin/env python3
"""What the real binary does with every Word document of a folder: saved without an edit, and with one edit.

    python3 tests/word/every_file.py BINARY CORPUS OUT [PART/PARTS]

Each file is saved without an edit (no byte may change) or refused with a code. Then a few words of a random paragraph
are replaced, plain and tracked, by the paragraph's id. Only bytes inside that paragraph may change, in one part; the
text read afterwards has to be the new one, and rejecting every change of ours has to give the old text back. Time and
memory are limited. OUT gets the edited files, `plain/pairs.tsv` and `tracked/pairs.tsv` for every_pair.py, and
`report.json`, in which every file has a line. Nothing but Python is needed.
"""
import collections
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import zipfile

MEMORY = 2 << 30
SECONDS = 60
TRIES = 8
NEW = "renewed & <b>words</b>"
SAID = "renewed & words"
PARAGRAPH = re.compile(rb"<(?:\w+:)?p[ >/]|</(?:\w+:)?p>")


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(binary, *arguments):
    """Exit code, the JSON that was printed, and what went wrong with the process itself."""
    try:
        done = subprocess.run([binary, "word", *arguments, "--json"], capture_output=True, timeout=SECONDS, preexec_fn=limited)
    except subprocess.TimeoutExpired:
        return None, {}, f"took more than {SECONDS} s"
    wrong = None
    if done.returncode < 0:
        wrong = f"ended by {signal.Signals(-done.returncode).name}"
    elif b"panicked" in done.stderr or b"INTERNAL" in done.stdout:
        wrong = f"an internal error: {done.stderr[-300:] + done.stdout[-300:]}"
    try:
        return done.returncode, json.loads(done.stdout or done.stderr or b"{}"), wrong
    except ValueError:
        return done.returncode, {}, wrong or f"no JSON: {done.stdout[:200]} {done.stderr[:200]}"


def parts(path):
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}


def changed_outside(before, after):
    """Why the edit is more than a change inside one paragraph; nothing if it is not."""
    different = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    if len(different) != 1:
        return f"parts that changed: {sorted(different)}"
    old, new = before[different[0]], after[different[0]]
    start = len(os.path.commonprefix([old, new]))
    end = len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]]))
    removed = old[start : len(old) - end]
    if PARAGRAPH.search(removed):
        return f"bytes of more than a paragraph: {removed[:200]}"
    return None


def texts(binary, path, view="final"):
    code, answer, wrong = run(binary, "read", str(path), "--format", "json", "--view", view, "--limit", "400")
    return (None, wrong or answer) if code != 0 else ([(node["id"], node["text"]) for node in answer["nodes"]], wrong)


def quotations(nodes, chance):
    """Some words of a random paragraph, as they are shown."""
    places = [(index, id, text) for index, (id, text) in enumerate(nodes) if text.split()]
    for _ in range(TRIES if places else 0):
        index, id, text = chance.choice(places)
        words = list(re.finditer(r"\S+", text))
        first = chance.randrange(len(words))
        last = min(first + chance.randrange(3), len(words) - 1)
        quoted = text[words[first].start() : words[last].end()]
        if text.count(quoted) == 1:
            yield index, id, quoted


def said(nodes):
    """Without ids: where a file names no paragraphs, they come from what paragraphs say."""
    return [text for _, text in nodes or []]


def edits(binary, path, out, number, chance, line, counts, lists):
    before = parts(path)
    nodes, wrong = texts(binary, path)
    if nodes is None or wrong:
        line["wrong"].append(f"read: {wrong}")
        return
    for markup in ("plain", "tracked"):
        tried = []
        for index, id, old in quotations(nodes, chance):
            saved = out / markup / f"{number:04}{path.suffix.lower()}"
            saved.unlink(missing_ok=True)
            track = ["--track", "--author", "Every File"] if markup == "tracked" else []
            code, answer, wrong = run(binary, "edit", str(path), f"--id={id}", f"--old={old}", f"--new={NEW}", "-o", str(saved), *track)
            if wrong:
                line["wrong"].append(f"{markup}: {wrong}")
            if code != 0:
                tried.append(answer.get("error", {}).get("code", "?"))
                line.setdefault("refusals", []).append([old, answer.get("error", {}).get("message")])
                if saved.exists():
                    line["wrong"].append(f"{markup}: a refused edit was written")
                continue
            if outside := changed_outside(before, parts(saved)):
                line["wrong"].append(f"{markup} {id} `{old}`: {outside}")
            after, _ = texts(binary, saved)
            expected = said(nodes)
            expected[index] = expected[index].replace(old, SAID, 1)
            if said(after) != expected:
                line["wrong"].append(f"{markup} {id} `{old}`: reads {[two for two in zip(said(after), expected) if two[0] != two[1]][:2]}")
            if markup == "tracked":
                back = out / f"rejected{path.suffix.lower()}"
                code, answer, wrong = run(binary, "reject", str(saved), "--by", "Every File", "-o", str(back))
                rejected, _ = texts(binary, back) if code == 0 else (None, answer)
                if said(rejected) != said(nodes):
                    line["wrong"].append(f"rejected: {wrong or answer if rejected is None else [two for two in zip(said(rejected), said(nodes)) if two[0] != two[1]][:2]}")
                back.unlink(missing_ok=True)
            lists[markup].write(f"{path}\t{saved}\n")
            tried.append("done")
            break
        line[markup] = tried
        counts[f"{markup}: {tried[-1] if tried else 'no words to replace'}"] += 1


def main():
    binary, corpus, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    files = sorted(path for path in corpus.rglob("*") if path.is_file())
    if len(sys.argv) > 4:
        part, of = map(int, sys.argv[4].split("/"))
        files = files[part::of]
    lists = {}
    for markup in ("plain", "tracked"):
        (out / markup).mkdir(parents=True, exist_ok=True)
        lists[markup] = open(out / markup / "pairs.tsv", "w", encoding="utf8")
    report, counts = [], collections.Counter()
    for number, path in enumerate(files):
        line = {"file": str(path.relative_to(corpus)), "wrong": []}
        report.append(line)
        saved = out / f"saved{path.suffix.lower()}"
        code, answer, wrong = run(binary, "save", str(path), "-o", str(saved))
        if wrong:
            line["wrong"].append(f"save: {wrong}")
        if code != 0:
            error = answer.get("error", {})
            line["open"], line["message"] = f"refused: {error.get('code')}", error.get("message")
            if saved.exists():
                line["wrong"].append("a refused file was written")
        else:
            same = saved.read_bytes() == path.read_bytes()
            line["open"] = "opened, every byte the same" if same else "opened, BYTES DIFFER"
            if not same:
                line["wrong"].append("saving without an edit changed the file")
            try:
                edits(str(binary), path, out, number, random.Random(line["file"]), line, counts, lists)
            except zipfile.BadZipFile as error:
                # Damaged where nobody looked: a part that no edit touches is copied as it is.
                counts[f"not read by Python: {error}"[:60]] += 1
        counts[line["open"]] += 1
        saved.unlink(missing_ok=True)
    for opened in lists.values():
        opened.close()
    (out / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False))
    for what, count in sorted(counts.items()):
        print(f"{count:6} {what}")
    bad = [line for line in report if line["wrong"]]
    print(f"{len(files)} files, {len(bad)} with something wrong")
    for line in bad[:60]:
        print("  ", line["file"], line["wrong"][:2])
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
