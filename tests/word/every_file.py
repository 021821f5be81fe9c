#!/usr/bin/env python3
"""What the real binary does with every Word document of a folder: saved without an edit, and with one edit.

    python3 tests/word/every_file.py BINARY CORPUS OUT [PART/PARTS]

Each file is saved without an edit (no byte may change) or refused with a code. Then a few words of a random paragraph
are replaced, plain and tracked, by the paragraph's id. Only bytes inside that paragraph may change, in one part; the
text read afterwards has to be the new one, and rejecting every change of ours has to give the old text back. Time and
memory are limited. OUT gets the edited files, `plain/pairs.tsv` and `tracked/pairs.tsv` for every_pair.py, and
`report.json`, in which every file has a line; PART/PARTS is explained in over_folder.py. Nothing but Python is needed.
"""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import over_folder

TRIES = 8
NEW = "renewed & <b>words</b>"
SAID = "renewed & words"
PARAGRAPH = re.compile(rb"<(?:\w+:)?p[ >/]|</(?:\w+:)?p>")
TEXT_BOX = re.compile(rb"<(?:\w+:)?txbxContent>.*?</(?:\w+:)?txbxContent>", re.DOTALL)


def changed_outside(before, after):
    """Why the edit is more than a change inside one paragraph; nothing if it is not."""
    different = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    if len(different) != 1:
        return f"parts that changed: {sorted(different)}"
    old, new = before[different[0]], after[different[0]]
    # The words of a paragraph may stand on both sides of a text box, which has paragraphs of its own.
    if TEXT_BOX.findall(old) == TEXT_BOX.findall(new):
        old, new = TEXT_BOX.sub(b"", old), TEXT_BOX.sub(b"", new)
    start = len(os.path.commonprefix([old, new]))
    end = len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]]))
    removed = old[start : len(old) - end]
    if PARAGRAPH.search(removed):
        return f"bytes of more than a paragraph: {removed[:200]}"
    return None


def texts(case, path, view="final"):
    code, answer, wrong = case.run("read", path, "--format", "json", "--view", view, "--limit", "400")
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


def difference(found, expected):
    return [two for two in zip(said(found), expected) if two[0] != two[1]][:2]


def edit(case):
    before = over_folder.parts(case.path)
    nodes, wrong = texts(case, case.path)
    if nodes is None or wrong:
        case.wrong(f"read: {wrong}")
        return
    for markup in ("plain", "tracked"):
        tried = []
        for index, id, old in quotations(nodes, case.chance):
            saved = case.out / markup / f"{case.number:04}{case.kind}"
            saved.unlink(missing_ok=True)
            track = ["--track", "--author", "Every File"] if markup == "tracked" else []
            code, answer, wrong = case.run("edit", case.path, f"--id={id}", f"--old={old}", f"--new={NEW}", "-o", saved, *track)
            if wrong:
                case.wrong(f"{markup}: {wrong}")
            if code != 0:
                tried.append(answer.get("error", {}).get("code", "?"))
                case.line.setdefault("refusals", []).append([old, answer.get("error", {}).get("message")])
                if saved.exists():
                    case.wrong(f"{markup}: a refused edit was written")
                continue
            if outside := changed_outside(before, over_folder.parts(saved)):
                case.wrong(f"{markup} {id} `{old}`: {outside}")
            after, _ = texts(case, saved)
            expected = said(nodes)
            expected[index] = expected[index].replace(old, SAID, 1)
            if said(after) != expected:
                case.wrong(f"{markup} {id} `{old}`: reads {difference(after, expected)}")
            if markup == "tracked":
                rejected_gives(case, saved, nodes)
            case.lists[f"{markup}/pairs.tsv"].write(f"{case.path}\t{saved}\n")
            tried.append("done")
            break
        case.line[markup] = tried
        case.counts[f"{markup}: {tried[-1] if tried else 'no words to replace'}"] += 1


def rejected_gives(case, saved, nodes):
    """Rejecting what we changed has to give the old text back."""
    back = case.out / f"rejected{case.kind}"
    code, answer, wrong = case.run("reject", saved, "--by", "Every File", "-o", back)
    rejected, _ = texts(case, back) if code == 0 else (None, answer)
    if said(rejected) != said(nodes):
        case.wrong(f"rejected: {wrong or answer if rejected is None else difference(rejected, said(nodes))}")
    back.unlink(missing_ok=True)


if __name__ == "__main__":
    over_folder.main("word", edit, ["plain/pairs.tsv", "tracked/pairs.tsv"])
