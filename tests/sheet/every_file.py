#!/usr/bin/env python3
"""What the real binary does with every workbook of a folder: saved without an edit, and with one cell set.

    python3 tests/sheet/every_file.py BINARY CORPUS OUT [PART/PARTS]

Each file is saved without an edit (no byte may change) or refused with a code. Then one cell is set four times: a
value and a formula, into a cell that is there and into one that is not. Around the cell nothing may change but values
of formulas, found by comparing the XML of both files with a parser that is not ours; openpyxl has to read the new
value. Time and memory are limited. OUT gets the edited files, `pairs.tsv` for validators, `values.tsv` for
read_back.py, and `report.json`, in which every file has a line; PART/PARTS is explained in over_folder.py. Needs lxml
and openpyxl.
"""
import pathlib
import posixpath
import re
import signal
import sys
import warnings

warnings.filterwarnings("ignore")
from lxml import etree
import openpyxl

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import over_folder

READER_SECONDS = 6
PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
REL = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


class TooSlow(BaseException):
    pass


def stop(*_):
    raise TooSlow


signal.signal(signal.SIGPROF, stop)


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


def compare(before, after, sheet_part, at):
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


def edit(case):
    before = over_folder.parts(case.path)
    try:
        tabs = sheets(before)
    except Exception as error:
        case.not_edited("its workbook is no XML for the checker", f"{type(error).__name__} {error}")
        return
    if not tabs:
        case.not_edited("no worksheet")
        return
    tab = case.chance.choice(tabs)
    try:
        known = cells(etree.fromstring(before[tab[1]], PARSER))
    except etree.XMLSyntaxError as error:
        case.not_edited("a sheet is no XML for the checker", f"{tab[1]}: {error}")
        return
    there = sorted(known)
    rows, cols = max((at[0] for at in there), default=5), max((at[1] for at in there), default=5)
    somewhere = lambda: (case.chance.randint(1, min(rows + 3, 1048576)), case.chance.randint(1, min(cols + 3, 16384)))
    empty = [at for at in (somewhere() for _ in range(200)) if at not in known]
    number = case.chance.randint(-(10**6), 10**6) / 8
    choices = [("existing", case.chance.sample(there, min(len(there), 12))), ("empty", empty[:12])]
    case.line["edits"] = {}
    for where, candidates in choices:
        for what in ("value", "formula"):
            label = f"{where} {what}"
            if not candidates:
                case.counts[f"{label}: no such cell"] += 1
                case.line["edits"][label] = "no such cell"
                continue
            value = {"value": case.chance.choice([("number", repr(number)), ("text", f"été & <{case.number}>")]), "formula": ("formula", "=1+2*SUM(3,4)")}[what]
            set_one(case, before, tab, label, candidates, value)


def set_one(case, before, tab, label, candidates, value):
    """Sets the first of the cells that may be set, and looks at what came of it."""
    name, sheet_part = tab
    quoted = "'" + name.replace("'", "''") + "'"
    target = case.out / f"{label.replace(' ', '-')}-{case.number}{case.kind}"
    flag = "--formula" if value[0] == "formula" else "--value"
    tried = []
    for at in candidates:
        cell = f"{letters(at[1])}{at[0]}"
        target.unlink(missing_ok=True)
        code, answer, wrong = case.run("set", case.path, "--cell", f"{quoted}!{cell}", f"{flag}={value[1]}", "-o", target)
        if wrong:
            case.wrong(f"{label} {cell}: {wrong}")
            break
        if code == 0:
            break
        error = answer.get("error", {})
        tried.append(f"{cell} {error.get('code')}: {error.get('message')}")
        if target.exists():
            case.wrong(f"{label} {cell}: refused and written")
    if code != 0:
        case.counts[f"{label}: refused"] += 1
        case.line["edits"][label] = {"refused": tried}
        return
    changed, more = compare(before, over_folder.parts(target), sheet_part, at)
    for text in more:
        case.wrong(f"{label} {name}!{cell}: {text}")
    expected = {"number": float, "text": str, "formula": lambda _: 15}[value[0]](value[1])
    read = openpyxl_reads(case, target, name, cell, expected)
    if read.startswith(("READ AS", "CANNOT")):
        case.wrong(f"{label} {name}!{cell}: {read}")
    case.counts[f"{label}: set"] += 1
    case.counts[f"openpyxl: {read.split(':')[0] if not read.startswith('READ AS') else 'READS ANOTHER'}"] += 1
    case.line["edits"][label] = {"cell": f"{name}!{cell}", "changed": changed, "openpyxl": read, "refused_first": tried}
    case.lists["pairs.tsv"].write(f"{case.path}\t{target}\n")
    case.lists["values.tsv"].write(f"{value[0]}\t{case.path}\t{target}\t{name}\t{cell}\t{15 if value[0] == 'formula' else value[1]}\n")


def openpyxl_reads(case, target, name, cell, expected):
    """What openpyxl makes of the new value, in capitals where that is not what it should."""
    try:
        if case.line.get("slow"):
            raise TooSlow
        signal.setitimer(signal.ITIMER_PROF, READER_SECONDS)
        tab = worksheet(target, name)
        found = tab[cell].value
        if isinstance(expected, (int, float)) and not isinstance(found, (int, float)) and found is not None and tab[cell].is_date:
            return "read as a date"
        return "read" if found == expected else f"READ AS {found!r}"
    except TooSlow:
        case.line["slow"] = True
        return f"openpyxl takes over {READER_SECONDS} s"
    except Exception as error:
        try:
            worksheet(case.path, name)
            return f"CANNOT BE READ: {type(error).__name__} {error}"
        except Exception:
            return "openpyxl cannot read the file before either"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def worksheet(path, name):
    book = openpyxl.load_workbook(path, data_only=True)
    return next(tab for tab in book.worksheets if tab.title.lower() == name.lower())


if __name__ == "__main__":
    over_folder.main("xlsx", edit, ["pairs.tsv", "values.tsv"])
