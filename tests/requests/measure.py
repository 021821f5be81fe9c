#!/usr/bin/env python3
"""Carries out each sentence of the sets in this folder on a fresh copy of its document, through the real binary, and
prints what became of the file: `measure.py DOCWRIGHT SET [PATTERN]`, where SET is a folder beside this script. A line
`= FILE` names the document of the sentences below it: one of this folder, of `samples`, or `corpus:PATH`.

The effect is read from the file by this script alone (zip and XML), not from the answer, so that an answer that says
something else than was done is seen. Whether an effect is what a person meant is for a person to judge."""
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from xml.etree import ElementTree

HERE = pathlib.Path(__file__).parent
SAMPLES = {"word": "agreement.docx", "sheet": "orders.xlsx", "markdown": "handbook.md"}
FOLDERS = [HERE, HERE.parent.parent / "samples"]
CORPUS = HERE.parent.parent.parent / "shared" / "corpus"
NOISE = {"rsidR", "rsidRPr", "paraId", "textId", "date", "id", "durableId"}


def name(element):
    return element.tag.rsplit("}", 1)[-1]


def looks(properties):
    """The properties of a run, a paragraph or a cell, in a few characters."""
    if properties is None:
        return ""
    told = []
    for child in properties.iter():
        if child is properties:
            continue
        values = [value for key, value in child.attrib.items() if key.rsplit("}", 1)[-1] not in NOISE]
        told.append(name(child) + ("=" + ",".join(values) if values else ""))
    return "{" + " ".join(told) + "}" if told else ""


def paragraph(element):
    out = []

    def walk(node, wrap):
        for child in node:
            kind = name(child)
            if kind in ("ins", "del", "moveFrom", "moveTo"):
                walk(child, f"{kind}:{child.attrib[[k for k in child.attrib if k.endswith('author')][0]]}")
            elif kind == "r":
                text = "".join({"t": piece.text or "", "delText": piece.text or "", "tab": "\t", "br": "<br>"}.get(name(piece), "" if name(piece) == "rPr" else f"<{name(piece)}>") for piece in child)
                look = looks(next((piece for piece in child if name(piece) == "rPr"), None))
                text = f"[{wrap} {text}]" if wrap else text
                out.append((look, text))
            elif kind in ("hyperlink", "sdt", "sdtContent", "fldSimple", "smartTag"):
                out.append(("", f"<{kind}>"))
                walk(child, wrap)
                out.append(("", f"</{kind}>"))
            elif kind.startswith("comment"):
                out.append(("", "<c>" if kind.endswith("Start") else "</c>"))

    walk(element, "")
    joined, last = "", None
    for look, text in out:
        joined += (look if look != last and (look or last) else "") + ("{}" if last and not look else "") + text
        last = look
    look = looks(next((piece for piece in element if name(piece) == "pPr"), None))
    return f"{look} {joined}".strip()


def word(path):
    lines = []
    with zipfile.ZipFile(path) as package:
        for part in sorted(package.namelist()):
            if not re.fullmatch(r"word/(document|comments|commentsExtended|footnotes|header\d*|footer\d*|settings|_rels/document.xml)\.(xml|rels)", part):
                continue
            root = ElementTree.fromstring(package.read(part))
            short = part.split("/")[-1].split(".")[0]
            if part.endswith("rels"):
                lines += [f"rel {child.attrib['Type'].rsplit('/', 1)[-1]} {child.attrib['Target']}" for child in root]
                continue
            for element in root.iter():
                kind = name(element)
                if kind == "p":
                    lines.append(f"{short}: {paragraph(element)}")
                elif kind in ("tbl", "tr", "tc", "sectPr", "comment", "commentEx"):
                    about = "".join(looks(child) for child in element if name(child) in ("tblPr", "trPr", "tcPr")) if kind != "tbl" else ""
                    told = [f"{k.rsplit('}', 1)[-1]}={v}" for k, v in element.attrib.items() if k.rsplit("}", 1)[-1] in ("author", "done")]
                    lines.append(f"{short}: <{kind} {about}{' '.join(told)}>")
                elif short == "settings":
                    lines.append(f"settings: {kind}")
    return lines


def sheet(path):
    lines = []
    with zipfile.ZipFile(path) as package:
        parts = set(package.namelist())
        shared = []
        if "xl/sharedStrings.xml" in parts:
            shared = ["".join(piece.text or "" for piece in item.iter() if name(piece) == "t") for item in ElementTree.fromstring(package.read("xl/sharedStrings.xml"))]
        styles = ElementTree.fromstring(package.read("xl/styles.xml"))
        kinds = {name(child): list(child) for child in styles}
        formats = {child.attrib["numFmtId"]: child.attrib["formatCode"] for child in kinds.get("numFmts", [])}

        def look(index):
            xf = kinds["cellXfs"][int(index)]
            told = looks(kinds["fonts"][int(xf.attrib.get("fontId", 0))]).replace("sz=11 name=Calibri", "")
            fill = looks(kinds["fills"][int(xf.attrib.get("fillId", 0))]).replace("{patternFill=none}", "")
            number = xf.attrib.get("numFmtId", "0")
            told += fill + (f" format {formats.get(number, number)}" if number != "0" else "") + looks(xf)
            return told.replace("{}", "").strip()

        book = ElementTree.fromstring(package.read("xl/workbook.xml"))
        targets = {child.attrib["Id"]: child.attrib["Target"] for child in ElementTree.fromstring(package.read("xl/_rels/workbook.xml.rels"))}
        for element in book.iter():
            if name(element) == "definedName":
                lines.append(f"name {element.attrib['name']} = {element.text}")
            if name(element) != "sheet":
                continue
            title = element.attrib["name"]
            lines.append(f"sheet {title} {element.attrib.get('state', '')}")
            target = targets[[v for k, v in element.attrib.items() if k.endswith("}id")][0]]
            for node in ElementTree.fromstring(package.read("xl/" + target.removeprefix("/xl/"))).iter():
                kind = name(node)
                if kind == "c":
                    inside = {name(child): child for child in node}
                    value = inside["v"].text if "v" in inside else None
                    if node.attrib.get("t") == "s" and value is not None:
                        value = repr(shared[int(value)])
                    if "is" in inside:
                        value = repr("".join(piece.text or "" for piece in inside["is"].iter() if name(piece) == "t"))
                    formula = f" ={inside['f'].text or inside['f'].attrib}" if "f" in inside else ""
                    lines.append(f"{title}!{node.attrib['r']} {value}{formula} {look(node.attrib.get('s', 0))}".rstrip())
                elif kind not in ("v", "f", "is", "t", "sheetData", "worksheet", "sheetViews", "sheetFormatPr", "dimension"):
                    told = {k.rsplit("}", 1)[-1]: v for k, v in node.attrib.items() if k.rsplit("}", 1)[-1] not in ("spans", "uid", "workbookViewId")}
                    if kind == "row" and set(told) == {"r"}:
                        continue
                    lines.append(f"{title} <{kind}> {told} {node.text or ''}".rstrip())
        for part in sorted(parts):
            if re.match(r"xl/(tables|comments|charts)", part) and part.endswith("xml"):
                root = ElementTree.fromstring(package.read(part))
                for node in root.iter():
                    if name(node) in ("table", "tableColumn", "autoFilter", "t", "f"):
                        lines.append(f"{name(root)} <{name(node)}> {node.attrib.get('ref', '')} {node.attrib.get('name', '')} {node.text or ''}".rstrip())
    return lines


DUMPS = {"word": word, "sheet": sheet, "markdown": lambda path: path.read_text(encoding="utf-8").splitlines()}


def strip(answer):
    """An answer without what changes from run to run."""
    text = json.dumps(answer, ensure_ascii=False)
    return re.sub(r'"(revision|path|document|file|docId|id)": ?"[^"]*",? ?', "", text)


def document(name):
    if name.startswith("corpus:"):
        return CORPUS / name.removeprefix("corpus:")
    return next(folder / name for folder in FOLDERS if (folder / name).exists())


def cases(chosen):
    """Kind, document and sentence, in the order of the set."""
    for kind, name in SAMPLES.items():
        sample = document(name)
        for line in (HERE / chosen / f"{kind}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("= "):
                sample = document(line[2:])
            elif line:
                yield kind, sample, line


def run(binary, kind, sample, sentence):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / sample.name
        shutil.copyfile(sample, path)
        before = DUMPS[kind](path)
        done = subprocess.run([binary, "ask", str(path), sentence, "--json"], capture_output=True, text=True, timeout=120, env={**os.environ, "XDG_STATE_HOME": f"{folder}/state"})
        try:
            answer = json.loads(done.stdout or done.stderr)
        except ValueError:
            answer = {"output": done.stdout + done.stderr}
        after = DUMPS[kind](path)
    diff = [line for line in difflib.unified_diff(before, after, lineterm="", n=0) if not line.startswith(("---", "+++", "@@"))]
    return done.returncode, answer, diff


def told(code, answer, diff):
    if code:
        message = answer.get("error", answer) if isinstance(answer, dict) else answer
        return [f"refused: {strip(message)[:420]}"] + (["CHANGED THOUGH REFUSED", *diff] if diff else [])
    if not diff:
        return [f"answered: {strip(answer)[:700]}"]
    return ["changed:", *diff[:24], *([f"... {len(diff)} lines"] if len(diff) > 24 else [])]


def main():
    binary, chosen = sys.argv[1], sys.argv[2]
    pattern = re.compile(sys.argv[3]) if len(sys.argv) > 3 else None
    chosen_cases = [case for case in cases(chosen) if not pattern or pattern.search(case[2])]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda case: run(binary, *case), chosen_cases))
    counts = {}
    for (kind, sample, sentence), result in zip(chosen_cases, results):
        lines = told(*result)
        counts[kind, lines[0].split(":")[0]] = counts.get((kind, lines[0].split(":")[0]), 0) + 1
        print(f"> [{kind}] {sentence}")
        print("\n".join(f"    {line}" for line in lines))
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind:10} {verdict:10} {count}", file=sys.stderr)


if __name__ == "__main__":
    main()
