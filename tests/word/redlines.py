"""Comparisons of real documents: accepting a redline gives the revised document, rejecting it the original.

    python3 tests/word/redlines.py BINARY FOLDER [--seed N] [--limit N] [--pairs] [--by-hand N [--kind NAME]] [--looks]

For each document of the folder a revised one is made by edits at random (replaced words, new and deleted paragraphs,
moved ones), with the binary itself; with --pairs also neighbours in the folder that share most of their paragraphs are
compared. With --by-hand, N documents are revised in each of the ways of `by_hand.py` instead, without the binary; with
--looks formatting is compared too. What is checked is read from the XML by this script, not by the binary: the text and
style of each paragraph of body, headers, footers and notes, the codes of fields, and the rows and cells of tables.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import pathlib
import xml.etree.ElementTree as ET
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import by_hand  # noqa: E402

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def run(binary, *arguments):
    done = subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def paragraphs(element, out):
    """Text and field codes of each paragraph, in order; text boxes are stories of their own and left out."""
    for child in element:
        tag = child.tag
        if tag == W + "p":
            text, codes = [], []
            inside(child, text, codes)
            style = child.find(f"{W}pPr/{W}pStyle")
            style = None if style is None else style.get(W + "val")
            codes = [" ".join(code.split()) for code in "".join(codes).split("\0") if code.strip()]
            # A link may be written as an element or as a field, and is the same to Word.
            codes = [code for code in codes if not code.upper().startswith("HYPERLINK")]
            out.append(("".join(text), style, tuple(codes)))
        elif tag in (W + "tbl", W + "tr", W + "tc", W + "sdt", W + "sdtContent", W + "customXml", W + "body", W + "footnote", W + "endnote"):
            if tag in (W + "footnote", W + "endnote") and child.get(W + "type") not in (None, "normal"):
                continue
            if tag in (W + "tbl", W + "tr", W + "tc"):
                out.append((f"<{tag.removeprefix(W)}>", None, ()))
            paragraphs(child, out)


def inside(element, text, codes):
    for child in element:
        tag = child.tag
        if tag in (W + "pPr", W + "rPr", MC + "AlternateContent", W + "drawing", W + "pict", W + "object", W + "rt"):
            continue
        if tag == W + "t":
            text.append(child.text or "")
        elif tag == W + "tab":
            text.append("\t")
        elif tag in (W + "br", W + "cr"):
            text.append("\n")
        elif tag == W + "noBreakHyphen":
            text.append("\u2011")
        elif tag == W + "instrText":
            codes.append(child.text or "")
        elif tag == W + "fldChar":
            codes.append("\0")
        elif tag == W + "fldSimple":
            codes.append("\0" + child.get(W + "instr") + "\0")
            inside(child, text, codes)
        else:
            inside(child, text, codes)


def told(path):
    """What a file says, by kind of part."""
    found = {}
    if not zipfile.is_zipfile(path):
        return None
    with zipfile.ZipFile(path) as package:
        names = sorted(package.namelist())
        body = package.read("word/document.xml").decode() if "word/document.xml" in names else ""
        # Notes that nothing refers to are on no page.
        used = set(re.findall(r"<w:(footnote|endnote)Reference\b[^>]*?w:id=\"(-?\d+)\"", body))
        for name in names:
            base = os.path.basename(name)
            kind = re.match(r"(document|header|footer|footnotes|endnotes)\d*\.xml$", base)
            if not kind or "glossary" in name:
                continue
            out = []
            try:
                root = ET.fromstring(package.read(name))
            except ET.ParseError:
                return None
            for note in [*root.findall(W + "footnote"), *root.findall(W + "endnote")]:
                if (note.tag.removeprefix(W), note.get(W + "id")) not in used:
                    root.remove(note)
            paragraphs(root, out)
            found.setdefault(kind.group(1), []).append(tuple(out))
    return {kind: sorted(all, key=repr) if kind in ("header", "footer") else all for kind, all in found.items()}


def differ(one, other, styles):
    keep = slice(0, 3)
    for kind in sorted(set(one) | set(other)):
        a, b = one.get(kind, []), other.get(kind, [])
        flat = lambda parts: [p[keep] if styles else (p[0], p[2]) for part in parts for p in part]
        a, b = flat(a), flat(b)
        if a != b:
            for index, (x, y) in enumerate(zip(a, b)):
                if x != y:
                    return f"{kind} paragraph {index}: {x!r} for {y!r}"
            return f"{kind}: {len(a)} paragraphs for {len(b)}: {(a[len(b):] or b[len(a):])[:2]!r}"
    return None


WORDS = "notwithstanding liability supplier forty-five written consent fee quarterly invoice".split()


def revise(binary, path, out, dice):
    """The document with a few edits; None if nothing could be made."""
    code, answer, _ = run(binary, "word", "read", path, "--format", "json", "--json")
    if code:
        return None
    try:
        read = json.loads(answer)
    except ValueError:
        return None
    rows = [row for row in read["nodes"] if row.get("text", "").strip()]
    rows = [row for row in rows if "[" not in row["text"]]
    if len(rows) < 4:
        return None
    current, made = path, 0
    for number in range(dice.randint(2, 5)):
        row = dice.choice(rows)
        words = re.findall(r"\w+", row["text"])
        target = f"{out}.{number}.docx"
        kind = dice.choice(["replace", "replace", "insert", "delete", "move"])
        if kind == "replace" and words:
            word = dice.choice(words)
            step = run(binary, "word", "edit", current, "--id", row["id"], "--old", row["text"],
                       "--new", row["text"].replace(word, dice.choice(WORDS), 1), "-o", target)
        elif kind == "insert":
            step = run(binary, "word", "insert", current, "--id", row["id"], "--text",
                       " ".join(dice.choices(WORDS, k=9)).capitalize() + ".", "-o", target)
        elif kind == "move":
            goal = dice.choice(rows)
            half = f"{out}.{number}.half.docx"
            step = run(binary, "word", "delete", current, "--id", row["id"], "-o", half)
            if step[0] == 0 and goal["id"] != row["id"]:
                step = run(binary, "word", "insert", half, "--id", goal["id"], "--text", row["text"], "-o", target)
            else:
                step = (1, "", "")
        else:
            step = run(binary, "word", "delete", current, "--id", row["id"], "-o", target)
        if step[0] == 0 and os.path.exists(target):
            current, made = target, made + 1
    return current if made else None


def check(binary, old, new, work, counts, name, *options):
    redline = os.path.join(work, "redline.docx")
    for stale in (redline,):
        if os.path.exists(stale):
            os.remove(stale)
    code, answer, error = run(binary, "word", "compare", old, new, "-o", redline, "--json", *options)
    counts["compared"] += 1
    if code:
        counts["refused"] += 1
        print(f"REFUSED {name}: {(error or answer).strip()[:300]}")
        return
    notes = " ".join(json.loads(answer).get("notes", []))
    left = "could not be shown" in notes
    if not os.path.exists(redline):
        # Nothing differs, or nothing of it could be shown.
        redline = old
    wrong = []
    for command, wanted, which in (("accept", new, "accepted"), ("reject", old, "rejected")):
        out = os.path.join(work, which + ".docx")
        if os.path.exists(out):
            os.remove(out)
        code, answer, error = run(binary, "word", command, redline, "--all", "-o", out)
        if code or not os.path.exists(out):
            out = redline
        # A document may have had changes of its own: they are decided alike on both sides.
        decided = os.path.join(work, "wanted.docx")
        if os.path.exists(decided):
            os.remove(decided)
        code, _, _ = run(binary, "word", command if which == "rejected" else "accept", wanted, "--all", "-o", decided)
        if code or not os.path.exists(decided):
            decided = wanted
        found = differ(told(out), told(decided), which == "rejected")
        if found and not (which == "accepted" and left):
            wrong.append(f"{which}: {found}")
    if left:
        counts["told of what is left"] += 1
        print(f"TOLD {name}: {notes[:300]}")
    if wrong:
        counts["WRONG"] += 1
        print(f"WRONG {name}: " + " | ".join(text[:500] for text in wrong))
    else:
        counts["right"] += 1


def check_by_hand(arguments, files, dice, work, counts):
    options = ["--formatting"] if arguments.looks else []
    for kind in by_hand.EDITS:
        if arguments.kind not in kind.__name__:
            continue
        dice.shuffle(files)
        made = 0
        for path in files:
            if made == arguments.by_hand:
                break
            new = os.path.join(work, "new.docx")
            if not by_hand.revised(path, kind, dice, new) or told(path) is None:
                continue
            made += 1
            keep = os.environ.get("KEEP")
            if keep:
                os.makedirs(keep, exist_ok=True)
                shutil.copyfile(new, os.path.join(keep, f"{kind.__name__}-{os.path.basename(path)}"))
            check(arguments.binary, path, new, work, counts, f"{kind.__name__} in {path}", *options)
        sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--by-hand", type=int, default=0, metavar="N")
    parser.add_argument("--kind", default="")
    parser.add_argument("--looks", action="store_true")
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.folder):
        print(f"skipped: there is no folder {arguments.folder}")
        return 0
    dice = random.Random(arguments.seed)
    files = []
    for top, _, names in os.walk(arguments.folder):
        files += [os.path.join(top, name) for name in names if name.endswith(".docx")]
    files.sort()
    dice.shuffle(files)
    counts = {"compared": 0, "right": 0, "WRONG": 0, "refused": 0, "told of what is left": 0, "not revised": 0}
    with tempfile.TemporaryDirectory() as work:
        os.environ["XDG_STATE_HOME"] = os.path.join(work, "state")
        if arguments.by_hand:
            check_by_hand(arguments, files, dice, work, counts)
            files = []
        for path in files[: arguments.limit or None]:
            revised = revise(arguments.binary, path, os.path.join(work, "revised"), dice)
            if revised is None or told(path) is None:
                counts["not revised"] += 1
                continue
            check(arguments.binary, path, revised, work, counts, path)
            for name in os.listdir(work):
                if name.startswith("revised"):
                    os.remove(os.path.join(work, name))
        if arguments.pairs:
            known = {path: told(path) for path in files[: arguments.limit or None]}
            texts = {path: {p[0] for part in (all or {}).get("document", []) for p in part if p[0].strip()}
                     for path, all in known.items()}
            for index, path in enumerate(files[: arguments.limit or None]):
                for other in files[index + 1: arguments.limit or None]:
                    shared = len(texts[path] & texts[other])
                    if shared >= 5 and shared * 2 >= max(len(texts[path]), len(texts[other])):
                        check(arguments.binary, path, other, work, counts, f"{path} and {other}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["WRONG"] or counts["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
