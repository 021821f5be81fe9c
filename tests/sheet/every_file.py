#!/usr/bin/env python3
"""What the real binary does with every workbook of a folder: saved without an edit, and with one cell set.

    python3 tests/sheet/every_file.py BINARY CORPUS OUT [PART/PARTS]

Each file is saved without an edit (no byte may change) or refused with a code. Then one cell is set four times: a
value and a formula, into a cell that is there and into one that is not. Around the cell nothing may change but values
of formulas, found by comparing the XML of both files with a parser that is not ours; openpyxl has to read the new
value. Time and memory are limited. OUT gets the edited files, `pairs0.tsv` for validators, `values0.tsv` for
read_back.py, and `report0.json`, in which every file has a line; a PART of several writes its
number there. START=n and END=n take the files from n on, and those before n.
"""
import collections
import itertools
import json
import os
import pathlib
import posixpath
import random
import re
import resource
import signal
import subprocess
import sys
import warnings
import zipfile

warnings.filterwarnings("ignore")
from lxml import etree
import openpyxl

MEMORY = 2 << 30
SECONDS = 60
PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
REL = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


READER_SECONDS = 6


class TooSlow(BaseException):
    pass


def stop(*_):
    raise TooSlow


signal.signal(signal.SIGPROF, stop)


def run(binary, *arguments):
    """Exit code, answer as JSON, and what is wrong with how it went."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        done = subprocess.run([binary, "xlsx", *arguments, "--json"], capture_output=True, timeout=SECONDS, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return 1, {}, f"over {SECONDS} s"
    wrong = None
    if done.returncode < 0 or done.returncode > 2 or b"panicked" in done.stderr:
        wrong = f"exit {done.returncode}: {done.stderr[-300:].decode('utf8', 'replace')}"
    try:
        return done.returncode, json.loads(done.stdout), wrong
    except ValueError:
        return done.returncode, {}, wrong or f"no JSON: {done.stdout[:200]!r} {done.stderr[:200]!r}"


def parts(path):
    with zipfile.ZipFile(path) as file:
        return {info.filename.replace("\\", "/"): file.read(info) for info in file.infolist() if not info.is_dir()}


def local(node):
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def relations(files, part):
    name = posixpath.join(posixpath.dirname(part), "_rels", posixpath.basename(part) + ".rels")
    name = next((known for known in files if known.lower() == name.lower()), None)
    if name is None:
        return {}
    tree = etree.fromstring(files[name], PARSER)
    target = lambda to: to.lstrip("/") if to.startswith("/") else posixpath.normpath(posixpath.join(posixpath.dirname(part), to))
    return {rel.get("Id"): (rel.get("Type").rsplit("/", 1)[-1], target(rel.get("Target") or "")) for rel in tree.iter(REL) if rel.get("TargetMode") != "External"}


def sheets(files):
    """Name and part of each worksheet."""
    top = next(to for kind, to in relations(files, "").values() if kind == "officeDocument")
    top = next(known for known in files if known.lower() == top.lower())
    found, rels = [], relations(files, top)
    for node in etree.fromstring(files[top], PARSER).iter():
        if local(node) != "sheet":
            continue
        key = next((value for name, value in node.attrib.items() if name.endswith("}id")), None)
        kind, to = rels.get(key, ("", ""))
        to = next((known for known in files if known.lower() == to.lower()), None)
        if kind == "worksheet" and to:
            found.append((node.get("name"), to))
    return found


def letters(col):
    text = ""
    while col:
        col, rest = divmod(col - 1, 26)
        text = chr(65 + rest) + text
    return text


def place(ref):
    found = re.fullmatch(r"\$?([A-Za-z]{1,3})\$?(\d+)", ref or "")
    if not found:
        return None
    col = 0
    for letter in found[1].upper():
        col = col * 26 + ord(letter) - 64
    return int(found[2]), col


def cells(tree):
    found, row_now = {}, 0
    for row in (row for data in tree if local(data) == "sheetData" for row in data if local(row) == "row"):
        row_now, col_now = int(row.get("r") or row_now + 1), 0
        for cell in row:
            if local(cell) == "c":
                at = place(cell.get("r")) or (row_now, col_now + 1)
                col_now = at[1]
                found[at] = cell
    return found


def shape(cell, values):
    """A cell without what a calculation may change, which are value and type of a formula or of a spilled value."""
    attributes = tuple(sorted((k, v) for k, v in cell.attrib.items() if values or k not in ("t", "vm")))
    # How far an array spills comes from the calculation too.
    kept = lambda node: tuple(sorted((k, v) for k, v in node.attrib.items() if values or k != "ref" or "cm" not in cell.attrib))
    inside = [(local(node), kept(node), node.text or "") for node in cell if values or local(node) not in ("v", "is")]
    return attributes, tuple(inside)


def frame(tree, at):
    """Everything of a sheet that is no cell: rows with their properties, and what stands around the rows. The row of
    the new cell may be new, and `spans` and `dimension` say how far the cells go."""
    out = []

    def add(node):
        name = local(node)
        attributes = {k: v for k, v in node.attrib.items() if k != "spans"}
        if name == "row" and attributes.get("r") == str(at[0]):
            return
        out.append((name, tuple(sorted(attributes.items())), (node.text or "").strip()))
        for inner in node:
            if local(inner) not in ("c", "dimension", ""):
                add(inner)

    add(tree)
    return out


def spills(tree):
    areas = []
    for node in tree.iter("{*}f"):
        if node.get("ref") and node.get("t") in ("array", "dataTable"):
            ends = [place(end) for end in node.get("ref").split(":")]
            if all(ends):
                areas.append((ends[0], ends[-1]))
    return areas


def shared(cell):
    """The shared formula of a cell: its group, and its text and range where it is the first of it."""
    node = next((node for node in cell if local(node) == "f" and node.get("t") == "shared"), None) if cell is not None else None
    return (None, None, None) if node is None else (node.get("si"), node.get("ref"), node.text)


def inherits(gone, old, new):
    """Whether a cell became the first of the shared formulas whose first was written over."""
    group, area, _ = shared(gone)
    return area is not None and shared(old)[:2] == (group, None) and shared(new)[0] == group and all(shared(new))


def compare(before, after, sheet_part, at, formula):
    """What changed and need not have."""
    wrong, changed = [], sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    for name in changed:
        low = name.lower()
        if name not in after or name not in before:
            if "calcchain" not in low and "sharedstrings" not in low and "metadata" not in low and "styles" not in low:
                wrong.append(f"{name} came or went")
            continue
        if not low.endswith((".xml", ".rels", ".vml")):
            wrong.append(f"{name} was touched")
            continue
        if low == "[content_types].xml" or low.endswith(".rels") or "calcchain" in low:
            continue
        old, new = etree.fromstring(before[name], PARSER), etree.fromstring(after[name], PARSER)
        if "sharedstrings" in low:
            old, new = ([etree.tostring(si) for si in tree if local(si) == "si"] for tree in (old, new))
            if new[: len(old)] != old:
                wrong.append(f"{name}: known strings changed")
        elif local(old) == "worksheet":
            here = at if name == sheet_part else (0, 0)
            if frame(old, here) != frame(new, here):
                wrong.append(f"{name}: something around the cells changed")
            was, now = cells(old), cells(new)
            areas = spills(old) + spills(new)
            for key in was.keys() | now.keys():
                if key == here:
                    continue
                if key in was and key in now and shape(was[key], True) == shape(now[key], True):
                    continue
                spilled = any(a[0] <= key[0] <= b[0] and a[1] <= key[1] <= b[1] for a, b in areas)
                if key not in was or key not in now:
                    if not spilled:
                        wrong.append(f"{name} {letters(key[1])}{key[0]} came or went")
                    continue
                computed = spilled or any(local(node) == "f" for node in was[key])
                if inherits(was.get(here), was[key], now[key]):
                    continue
                if shape(was[key], not computed) != shape(now[key], not computed):
                    wrong.append(f"{name} {letters(key[1])}{key[0]}: changed beyond its value")
        elif local(old) == "workbook":
            strip = lambda tree: [etree.tostring(n) for n in tree if local(n) != "calcPr"]
            if strip(old) != strip(new):
                wrong.append(f"{name}: changed beyond calcPr")
        elif local(old) in ("table", "metadata"):
            pass
        else:
            wrong.append(f"{name} was touched")
    if sheet_part not in changed:
        wrong.append("the sheet did not change")
    return changed, wrong[:5]


def main():
    binary, corpus, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    files = sorted(path for path in corpus.rglob("*") if path.is_file())
    part, start = 0, int(os.environ.get("START", "0"))
    if len(sys.argv) > 4:
        part, parts_all = map(int, sys.argv[4].split("/"))
        files = files[part::parts_all]
    report, counts = [], collections.Counter()
    pairs, values = open(out / f"pairs{part}.tsv", "a", encoding="utf8"), open(out / f"values{part}.tsv", "a", encoding="utf8")
    for index, path in enumerate(files):
        if not start <= index < int(os.environ.get("END", "1000000")):
            continue
        number_of = f"{part}-{index}"
        line = {"file": str(path.relative_to(corpus)), "edits": {}, "wrong": []}
        report.append(line)
        kind = path.suffix.lower()
        saved = out / f"saved{part}{kind if kind != '.xls' else '.xlsx'}"
        code, answer, wrong = run(binary, "save", str(path), "-o", str(saved))
        if wrong:
            line["wrong"].append(f"save: {wrong}")
        if code != 0:
            error = answer.get("error", {})
            line["open"] = f"refused: {error.get('code')}"
            line["message"] = error.get("message")
            if saved.exists():
                line["wrong"].append("a refused file was written")
                saved.unlink()
            counts[line["open"]] += 1
            continue
        if kind == ".xls":
            line["open"] = "opened, converted"
            counts[line["open"]] += 1
            saved.unlink()
            continue
        same_file = saved.read_bytes() == path.read_bytes()
        try:
            before = parts(path)
            same_parts = parts(saved) == before
        except zipfile.BadZipFile as error:
            before, same_parts = None, same_file
            line["edits"] = f"the checker cannot unpack it: {error}"
        saved.unlink()
        line["open"] = "opened, every byte the same" if same_file else "opened, every part the same" if same_parts else "opened, PARTS DIFFER"
        counts[line["open"]] += 1
        if not same_parts:
            line["wrong"].append("saving without an edit changed a part")
        if before is None:
            counts["opened, but the checker cannot unpack it; not edited"] += 1
            continue
        chance = random.Random(line["file"])
        try:
            tabs = sheets(before)
        except Exception as error:
            counts["opened, but no XML for the checker; not edited"] += 1
            line["edits"] = f"the checker cannot read it: {type(error).__name__} {error}"
            continue
        if not tabs:
            counts["no worksheet, not edited"] += 1
            line["edits"] = "no worksheet"
            continue
        name, sheet_part = chance.choice(tabs)
        try:
            known = cells(etree.fromstring(before[sheet_part], PARSER))
        except etree.XMLSyntaxError as error:
            counts["opened, but a sheet is no XML for the checker; not edited"] += 1
            line["edits"] = f"the checker cannot read {sheet_part}: {error}"
            continue
        there = sorted(known)
        rows, cols = max((at[0] for at in there), default=5), max((at[1] for at in there), default=5)
        empty = [at for at in ((chance.randint(1, min(rows + 3, 1048576)), chance.randint(1, min(cols + 3, 16384))) for _ in range(200)) if at not in known]
        quoted = "'" + name.replace("'", "''") + "'"
        number = chance.randint(-10**6, 10**6) / 8
        choices = [("existing", chance.sample(there, min(len(there), 12))), ("empty", empty[:12])]
        for where, candidates in choices:
            for what in ("value", "formula"):
                label = f"{where} {what}"
                if not candidates:
                    counts[f"{label}: no such cell"] += 1
                    line["edits"][label] = "no such cell"
                    continue
                value = {"value": chance.choice([("number", repr(number)), ("text", f"été & <{index}>")]), "formula": ("formula", "=1+2*SUM(3,4)")}[what]
                tried = []
                for at in candidates:
                    cell = f"{letters(at[1])}{at[0]}"
                    target = out / f"{where}-{what}-{number_of}{kind}"
                    flag = "--formula" if what == "formula" else "--value"
                    code, answer, wrong = run(binary, "set", str(path), "--cell", f"{quoted}!{cell}", flag + "=" + value[1], "-o", str(target))
                    if wrong:
                        line["wrong"].append(f"{label} {cell}: {wrong}")
                        break
                    if code != 0:
                        error = answer.get("error", {})
                        tried.append(f"{cell} {error.get('code')}: {error.get('message')}")
                        if target.exists():
                            line["wrong"].append(f"{label} {cell}: refused and written")
                        continue
                    break
                if code != 0:
                    counts[f"{label}: refused"] += 1
                    line["edits"][label] = {"refused": tried}
                    continue
                changed, more = compare(before, parts(target), sheet_part, at, value[1] if what == "formula" else None)
                line["wrong"] += [f"{label} {name}!{cell}: {text}" for text in more]
                read = "not read"
                expected = 15 if what == "formula" else number if value[0] == "number" else value[1]
                try:
                    if line.get("slow"):
                        raise TooSlow
                    signal.setitimer(signal.ITIMER_PROF, READER_SECONDS)
                    book = openpyxl.load_workbook(target, data_only=True)
                    tab = next(known for known in book.worksheets if known.title.lower() == name.lower())
                    found = tab[cell].value
                    if isinstance(expected, (int, float)) and not isinstance(found, (int, float)) and found is not None and tab[cell].is_date:
                        read = "read as a date"
                    else:
                        read = "read" if found == expected else f"READ AS {found!r}"
                except TooSlow:
                    line["slow"] = True
                    read = f"openpyxl takes over {READER_SECONDS} s"
                except Exception as error:
                    try:
                        known = openpyxl.load_workbook(path, data_only=True).worksheets
                        next(tab for tab in known if tab.title.lower() == name.lower())
                        read = f"CANNOT BE READ: {type(error).__name__} {error}"
                    except Exception:
                        read = "openpyxl cannot read the file before either"
                finally:
                    signal.setitimer(signal.ITIMER_PROF, 0)
                if read.isupper() or read.startswith(("READ AS", "CANNOT")):
                    line["wrong"].append(f"{label} {name}!{cell}: {read}")
                counts[f"{label}: set"] += 1
                counts[f"openpyxl: {read.split(':')[0] if not read.startswith('READ AS') else 'READS ANOTHER'}"] += 1
                line["edits"][label] = {"cell": f"{name}!{cell}", "changed": changed, "openpyxl": read, "refused_first": tried}
                pairs.write(f"{path}\t{target}\n")
                values.write(f"{value[0]}\t{path}\t{target}\t{name}\t{cell}\t{15 if what == 'formula' else value[1]}\n")
        counts["files with something wrong"] += bool(line["wrong"])
        for text in line["wrong"]:
            print(f"{line['file']}: {text}", flush=True)
    pairs.close()
    values.close()
    (out / f"report{part}-{start}.json").write_text(json.dumps({"files": len(files), "counts": counts, "report": report}, indent=1, ensure_ascii=False))
    print(f"{len(files)} files")
    for what, count in sorted(counts.items()):
        print(f"{count:6} {what}")


if __name__ == "__main__":
    main()
