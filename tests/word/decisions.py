#!/usr/bin/python3
"""Tracked changes accepted and rejected by us, beside LibreOffice doing the same, over a folder.

    cargo build --release -p docwright
    /usr/bin/python3 tests/word/decisions.py target/release/docwright ../shared/corpus/docx [--show 8]

Needs LibreOffice with its Python bridge (python3-uno), and says SKIPPED without. Of every document with tracked changes,
with all of them accepted, and then with all of them rejected:

- nothing is left that is a tracked change, and the linter and python-docx (`--python`, or left out) have nothing against it;
- the view `final` (or `original`) of the untouched file says what the new file says;
- LibreOffice reads in our file what it has itself after deciding on the untouched one, paragraph by paragraph in every story;
- LibreOffice reads in the body of our file what we read there.

The first two have no exceptions. `KNOWN` names where LibreOffice does what Word does not. Counted, and no fault: where it
keeps an empty paragraph or cell that is gone (before a table, at the end of a text, of a merged or deleted cell), and
where it reads otherwise for reasons that are no changes (fields that it calculates anew, floating tables, marks of
notes), which `--reading` shows.
"""
import argparse
import collections
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

try:
    import uno
    from com.sun.star.beans import PropertyValue
    from com.sun.star.connection import NoConnectException
except ImportError:
    sys.exit("SKIPPED: no LibreOffice with python3-uno on this machine")

# A piece of a file's path, and why LibreOffice is not the judge there.
KNOWN = {
    "RA001-Tracked-Revisions": "a floating table becomes a frame unless it has changes, and an inserted row with text that is not marked stays",
    "RP004-Deleted-Text-in-CC": "deleted text in a content control stays",
    "RP018-MoveFrom-MoveTo-CC": "a content control that was moved stays in both places",
    "RP051-Arabic": "opened without any of its changes, both sides being text",
}

CHANGE = re.compile(
    rb"<(?:[\w.-]+:)?(ins|del|moveFrom|moveTo|cellIns|cellDel|cellMerge|numberingChange|(?:r|p|sect|tbl|tblPrEx|tr|tc)PrChange|tblPrExChange|tblGridChange"
    rb"|(?:moveFrom|moveTo|customXmlIns|customXmlDel|customXmlMoveFrom|customXmlMoveTo)Range(?:Start|End))[\s/>][^>]*"
)
WORD = re.compile(rb'="http://(?:schemas\.openxmlformats\.org/wordprocessingml/2006|purl\.oclc\.org/ooxml/wordprocessingml)/main"')


def changes(file):
    """How many marks of changes there are, by part and name."""
    count = collections.Counter()
    try:
        with zipfile.ZipFile(file) as package:
            for name in package.namelist():
                # What stands beside all folders belongs to nobody.
                if not name.endswith(".xml") or "glossary" in name or "/" not in name:
                    continue
                data = package.read(name)
                if not WORD.search(data[:20000]):
                    continue
                for found in CHANGE.finditer(data):
                    # `a:moveTo` of a drawing has no id, nor has anything else that is only called so.
                    if b"id=" in found.group(0):
                        count[f"{name} {found.group(1).decode()}"] += 1
    except Exception:  # not a package: we refuse it, and so does LibreOffice
        return None
    # The record of an old grid has no author. Alone it is no change, and Word keeps it.
    return count if any("tblGridChange" not in name for name in count) else None


def read(binary, file, view="final"):
    """(story, in a text box, label, text) of every paragraph. A run-in header stands in a column of its own."""
    answer, offset = [], 1
    while True:
        run = subprocess.run([binary, "word", "read", file, "--format", "json", "--all-stories", "--view", view, "--offset", str(offset)], capture_output=True)
        if run.returncode:
            return None
        page = json.loads(run.stdout)
        for node in page["nodes"]:
            answer.append((node.get("story"), node["style"].startswith("text_box"), node["list_label"], node["header"] + node["text"]))
        if not page.get("has_more"):
            return answer
        offset = page["next_offset"]


def problems(binary, file):
    run = subprocess.run([binary, "word", "check", file, "--json"], capture_output=True)
    try:
        return collections.Counter(json.dumps({k: v for k, v in problem.items() if k in ("code", "rule", "kind")}) if isinstance(problem, dict) else str(problem) for problem in json.loads(run.stdout)[0]["problems"])
    except Exception:
        return collections.Counter([run.stderr.decode()[:200] or "check failed"])


class Office:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="decisions_")
        self.process = None

    def start(self):
        pipe = f"decisions{os.getpid()}_{int(time.time() * 1000)}"
        self.process = subprocess.Popen(["soffice", f"-env:UserInstallation=file://{self.folder}/profile", "--headless", "--invisible", "--norestore", "--nologo", "--nodefault", f"--accept=pipe,name={pipe};urp;"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for _ in range(600):
            try:
                context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except NoConnectException:
                time.sleep(0.2)
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        self.dispatcher = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)

    def stories(self, file, decide=None):
        """The paragraphs of each story, once `decide` was dispatched."""
        copy = os.path.join(self.folder, "f.docx")
        shutil.copy(file, copy)
        if self.process is None or self.process.poll() is not None:
            self.start()
        values = []
        for name, value in (("Hidden", True), ("MacroExecutionMode", 0), ("UpdateDocMode", 0), ("Password", "x")):
            values.append(PropertyValue(Name=name, Value=value))
        try:
            document = self.desktop.loadComponentFromURL(uno.systemPathToFileUrl(copy), "_blank", 0, tuple(values))
        except Exception as error:
            print(f"LibreOffice failed on {file}: {type(error).__name__}", flush=True)
            document = None
        if document is None:
            return None
        try:
            if not document.supportsService("com.sun.star.text.GenericTextDocument"):
                return None
            if decide:
                # LibreOffice decides on nothing in a document that protects its changes.
                if len(document.RedlineProtectionKey):
                    document.RedlineProtectionKey = uno.ByteSequence(b"")
                self.dispatcher.executeDispatch(document.CurrentController.Frame, f".uno:{decide}AllTrackedChanges", "", 0, ())
            return {"body": list(self.walk(document.Text)), **self.others(document)}
        except Exception as error:
            print(f"LibreOffice failed on {file}: {type(error).__name__}", flush=True)
            return None
        finally:
            try:
                document.close(True)
            except Exception:  # it went away
                self.process = None

    def others(self, document):
        """Stories whose order means nothing are sorted."""
        notes = {}
        for kind, some in (("footnotes", document.Footnotes), ("endnotes", document.Endnotes)):
            notes[kind] = [line for index in range(some.Count) for line in self.walk(some.getByIndex(index))]
        frames = [list(self.walk(document.TextFrames.getByName(name))) for name in document.TextFrames.ElementNames]
        shapes = []
        for index in range(document.DrawPage.Count):
            shape = document.DrawPage.getByIndex(index)
            if not shape.supportsService("com.sun.star.text.TextFrame") and hasattr(shape, "String"):
                shapes.append(shape.String.split("\n"))
        notes["boxes"] = [line for box in sorted(frames + shapes) for line in box]
        furniture = set()
        styles = document.StyleFamilies.getByName("PageStyles")
        for index in range(styles.Count):
            style = styles.getByIndex(index)
            for part in ("Header", "Footer"):
                if style.isInUse() and getattr(style, f"{part}IsOn"):
                    for side in ("", "Left", "Right", "First"):
                        text = getattr(style, f"{part}Text{side}")
                        if text is not None:
                            furniture.add("\n".join(self.walk(text)))
        notes["headers"] = [line for text in sorted(furniture) for line in text.split("\n")]
        return notes

    def walk(self, text):
        blocks = text.createEnumeration()
        while blocks.hasMoreElements():
            block = blocks.nextElement()
            if block.supportsService("com.sun.star.text.TextTable"):
                yield "(table)"
                for name in block.CellNames:
                    yield from self.walk(block.getCellByName(name))
                yield "(end of table)"
            else:
                yield block.String

    def close(self):
        if self.process and self.process.poll() is None:
            try:
                self.desktop.terminate()
            except Exception:  # it answers by going away
                pass
            self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)


def bare(text):
    """Without what the two write differently: marks of notes and pictures, equations, dates of today, blanks."""
    text = re.sub(r"\[(\^[^\]]*|c\d+|(image|object|equation).*?)\]", "", text)
    return "".join(character for character in text if character.isalpha())


def joined(rows, story):
    """What a story says. A paragraph that goes into the next one is a row of its own in a view."""
    return "".join(text for where, _, _, text in rows if where == story)


def is_part_of(few, many):
    """Whether these rows are among those, in order: notes and comments go with the text they hang on."""
    many = iter(many)
    return all(any(row == other for other in many) for row in few)


def floating(stories):
    """What the body and its boxes say, whatever is in a frame: LibreOffice makes one of a floating table on opening."""
    lines = stories["body"] + stories["boxes"]
    return sorted(line.strip("\u200b") for line in lines if line.strip("\u200b") and not line.startswith("("))


def differences(left, right):
    """What stands on one side only, as lines."""
    lines = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            lines.append((left[a:b], right[c:d]))
    return lines


def spoken(stories):
    """Every line that says something, story by story."""
    return {story: [line for line in lines if line.strip("\u200b\u200d") and line not in ("(table)", "(end of table)")] for story, lines in stories.items()}


def python_docx(python, files):
    """The files that python-docx does not open, as error and the file they were made of."""
    script = "import sys, docx\nfor line in sys.stdin.read().splitlines():\n    of, file = line.split('\\t')\n    try:\n        d = docx.Document(file); [c.text for t in d.tables for r in t.rows for c in r.cells]\n    except Exception as error:\n        print(type(error).__name__, of, sep='\\t')"
    run = subprocess.run([python, "-c", script], input="\n".join("\t".join(pair) for pair in files), capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"python-docx did not run: {run.stderr}")
    return run.stdout.splitlines()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary")
    arguments.add_argument("corpus", type=pathlib.Path)
    arguments.add_argument("--show", type=int, default=8)
    arguments.add_argument("--reading", action="store_true", help="show also what LibreOffice only reads otherwise")
    arguments.add_argument("--python", help="a Python that has python-docx")
    arguments.add_argument("--keep", type=pathlib.Path, help="a folder for the files we write")
    arguments = arguments.parse_args()
    files = sorted(str(path) for path in ([arguments.corpus] if arguments.corpus.is_file() else arguments.corpus.rglob("*.docx")))
    out = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="decided_"))
    out.mkdir(parents=True, exist_ok=True)
    office = Office()
    count = collections.Counter()
    wrong = 0
    written = []

    def told(what, file, lines):
        nonlocal wrong
        why = next((why for name, why in KNOWN.items() if name in file), None) if what.startswith("LibreOffice") else None
        count[what + (", for a known reason" if why else "")] += 1
        wrong += not why
        print(f"{what}: {file}" + (f": {why}" if why else ""), flush=True)
        for line in lines[: 0 if why else arguments.show]:
            print(f"    {line}")

    for number, file in enumerate(files):
        if not changes(file):
            continue
        before = read(arguments.binary, file)
        if before is None:
            count["files we refuse"] += 1
            continue
        count["files"] += 1
        found = problems(arguments.binary, file)
        for verb, view, decide in (("accept", "final", "Accept"), ("reject", "original", "Reject")):
            target = str(out / f"{number}-{verb}.docx")
            run = subprocess.run([arguments.binary, "word", verb, file, "--all", "-o", target], capture_output=True, text=True)
            if run.returncode or not os.path.exists(target):
                told(f"{verb} refused", file, [run.stderr.strip()])
                continue
            written.append((file, target))
            left = changes(target)
            if left:
                told(f"changes are left after {verb}", file, [f"{name} {times}" for name, times in left.items()])
            new = problems(arguments.binary, target) - found
            if new:
                told(f"new problems after {verb}", file, list(new))
            seen, result = read(arguments.binary, file, view), read(arguments.binary, target)
            lines = []
            for story in sorted({row[0] for row in seen + result}):
                a, b = ([row for row in rows if row[0] == story] for rows in (seen, result))
                if story in ("footnotes", "endnotes", "comments"):
                    same = is_part_of([row[3] for row in b if row[3]], [row[3] for row in a]) or joined(a, story) == joined(b, story)
                else:
                    same = joined(a, story) == joined(b, story)
                labels = [[row[2] for row in rows if row[3] and story == "body" and not row[2].startswith("[")] for rows in (a, b)]
                if same and len(labels[0]) == len(labels[1]):
                    same = labels[0] == labels[1]
                if not same:
                    lines += [f"{story}: view {left} file {right}" for left, right in differences(a, b)]
            if lines:
                told(f"view {view} is not what {verb} gives", file, lines)
            theirs = office.stories(file, decide)
            ours = office.stories(target)
            if theirs is None or ours is None:
                count["files LibreOffice does not open"] += 1
                if theirs is not None:
                    told(f"LibreOffice does not open what {verb} wrote", file, [])
                continue
            count["comparisons with LibreOffice"] += 1
            lines = []
            for story in theirs:
                if story in ("body", "boxes") and theirs["boxes"] != ours["boxes"] and floating(theirs) == floating(ours):
                    continue
                there, here = ([line.strip("\u200b") for line in stories[story]] for stories in (theirs, ours))
                lines += [f"{story}: LibreOffice {a} ours {b}" for a, b in differences(there, here)]
            if lines and spoken(theirs) == spoken(ours):
                count[f"LibreOffice keeps something empty on {verb}"] += 1
            elif lines:
                told(f"LibreOffice decides otherwise on {verb}", file, lines)
            mine = [text for text in (bare(text) for story, box, _, text in result if story == "body" and not box) if text]
            lines = differences([text for text in map(bare, ours["body"]) if text and text not in ("table", "endoftable")], mine)
            if lines:
                count[f"LibreOffice reads otherwise what {verb} wrote"] += 1
                if arguments.reading:
                    print(f"LibreOffice reads otherwise what {verb} wrote: {file}", *lines[: arguments.show], sep="\n    ", flush=True)
    office.close()
    if arguments.python:
        known = {line.split("\t")[1] for line in python_docx(arguments.python, [(file, file) for file, _ in written])}
        for line in python_docx(arguments.python, written):
            if line.split("\t")[1] not in known:
                told("python-docx", line, [])
    if not arguments.keep:
        shutil.rmtree(out, ignore_errors=True)
    for name, number in count.items():
        print(f"{name}: {number}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
