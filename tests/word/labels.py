#!/usr/bin/python3
"""List labels as we read them beside those that LibreOffice prints, over the corpus.

    cargo build --release -p docwright
    /usr/bin/python3 tests/word/labels.py target/release/docwright ../shared/corpus/docx [--show 40]

Needs LibreOffice with its Python bridge (python3-uno), and says SKIPPED without. Paragraphs are paired by their text,
in order; those that cannot be (tracked changes and fields read differently) are counted. A bullet is a bullet, whatever
its character, since LibreOffice answers bullets without one. `KNOWN` names where LibreOffice prints what
Word does not; each has a test of its own among the numbering tests.
"""
import argparse
import collections
import difflib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import uno
    from com.sun.star.beans import PropertyValue
    from com.sun.star.connection import NoConnectException
except ImportError:
    sys.exit("SKIPPED: no LibreOffice with python3-uno on this machine")

# File, and why LibreOffice is not the judge there.
KNOWN = {
    "spec_vanish.docx": "legal numbering (isLgl) writes the level above in digits",
    "toc1.docx": "full-width digits",
    "testWORD_numbered_list.docx": "a custom format, and text around the number",
    "BackgroundReport": "a level that the list does not define",
}


def ours(binary, file):
    """(label, text) of the body's paragraphs, text boxes left out; None where we cannot open it."""
    answer, offset = [], 1
    while True:
        run = subprocess.run([binary, "word", "read", file, "--format", "json", "--offset", str(offset)], capture_output=True)
        if run.returncode:
            return None
        page = json.loads(run.stdout)
        for node in page["nodes"]:
            if node.get("story") == "body" and not node.get("text_box"):
                # A run-in header stands in a column of its own.
                answer.append((node["list_label"], node["header"] + node["text"]))
        if not page.get("has_more"):
            return answer
        offset = page["next_offset"]


class Office:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="labels_")
        self.process = None

    def start(self):
        pipe = f"labels{os.getpid()}_{int(time.time() * 1000)}"
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

    def paragraphs(self, file):
        copy = os.path.join(self.folder, "f.docx")
        shutil.copy(file, copy)
        if self.process is None or self.process.poll() is not None:
            self.start()
        values = []
        for name, value in (("Hidden", True), ("ReadOnly", True), ("MacroExecutionMode", 0), ("UpdateDocMode", 0), ("Password", "x")):
            values.append(PropertyValue(Name=name, Value=value))
        document = self.desktop.loadComponentFromURL(uno.systemPathToFileUrl(copy), "_blank", 0, tuple(values))
        if document is None:
            return None
        try:
            return list(self.walk(document.Text))
        finally:
            document.close(True)

    def walk(self, text):
        blocks = text.createEnumeration()
        while blocks.hasMoreElements():
            block = blocks.nextElement()
            if block.supportsService("com.sun.star.text.TextTable"):
                for name in block.CellNames:
                    yield from self.walk(block.getCellByName(name))
            else:
                yield (block.ListLabelString if block.NumberingIsNumber or block.ListLabelString else "", block.String)

    def close(self):
        if self.process and self.process.poll() is None:
            try:
                self.desktop.terminate()
            except Exception:  # it answers by going away
                pass
            self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)


def bare(text):
    return "".join(character for character in text if character.isalnum())


def is_bullet(label):
    """An `o` is the open bullet of Word's own lists."""
    return label == "o" or len(label) == 1 and not label.isalnum()


def same(mine, theirs):
    mine, theirs = mine.strip(), theirs.strip()
    return mine == theirs or is_bullet(mine) and (is_bullet(theirs) or not theirs) or bare(mine) == bare(theirs) != ""


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary")
    arguments.add_argument("corpus", type=pathlib.Path)
    arguments.add_argument("--show", type=int, default=10)
    arguments = arguments.parse_args()
    files = sorted(str(path) for path in ([arguments.corpus] if arguments.corpus.is_file() else arguments.corpus.rglob("*.docx")))
    office = Office()
    count = collections.Counter()
    different = collections.defaultdict(list)
    for file in files:
        mine = ours(arguments.binary, file)
        if mine is None:
            count["files we refuse"] += 1
            continue
        try:
            theirs = office.paragraphs(file)
        except Exception as error:
            print(f"LibreOffice failed on {file}: {type(error).__name__}", flush=True)
            theirs = None
            if office.process and office.process.poll() is not None:
                office.process = None
        if theirs is None:
            count["files LibreOffice does not open"] += 1
            continue
        count["files compared"] += 1
        matcher = difflib.SequenceMatcher(None, [bare(text) for _, text in mine], [bare(text) for _, text in theirs], autojunk=False)
        paired = 0
        for left, right, length in matcher.get_matching_blocks():
            for step in range(length):
                (my_label, text), (their_label, _) = mine[left + step], theirs[right + step]
                if not bare(text):
                    continue
                paired += 1
                if not my_label and not their_label.strip():
                    continue
                count["labels"] += 1
                if same(my_label, their_label):
                    count["labels that agree"] += 1
                else:
                    different[file].append((my_label, their_label, text[:50]))
        total = sum(1 for label, text in mine if label and bare(text))
        count["labelled paragraphs of ours"] += total
        count["paragraphs paired"] += paired
        count["paragraphs not paired"] += sum(1 for _, text in mine if bare(text)) - paired
    office.close()
    unexplained = 0
    for file, labels in sorted(different.items(), key=lambda item: -len(item[1])):
        why = next((why for name, why in KNOWN.items() if name in file), None)
        count["labels that differ, LibreOffice being wrong" if why else "labels that differ"] += len(labels)
        unexplained += 0 if why else len(labels)
        print(f"{len(labels)} in {file}" + (f": {why}" if why else ""))
        for mine, theirs, text in labels[: 0 if why else arguments.show]:
            print(f"    ours {mine!r} theirs {theirs!r} {text!r}")
    for name, number in count.items():
        print(f"{name}: {number}")
    sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
