#!/usr/bin/python3
"""Rows, columns, sheets and table columns that come and go, by us and by LibreOffice, over a folder of workbooks.

    /usr/bin/python3 tests/sheet/structure.py BINARY FOLDER [--most 60] [--each 3] [--only PART_OF_A_NAME]

Needs LibreOffice with its Python bridge (python3-uno), and says SKIPPED without. Each workbook is opened in LibreOffice
and calculated; formulas whose value is another than the stored one are left out, so that what is compared are formulas
that both understand alike. Then the same edit is made by both: rows or columns inserted or deleted, a sheet renamed,
moved or deleted, a column of a table deleted. LibreOffice calculates again, and every formula that is left is compared
with the value that we stored, in the cell where it has come to stand. A difference is printed with the formulas of both.
"""
import argparse
import json
import os
import pathlib
import random
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
    from com.sun.star.table.CellContentType import FORMULA
except ImportError:
    sys.exit("SKIPPED: no LibreOffice with python3-uno on this machine")

VOLATILE = re.compile(r"(?:\b|GET)(NOW|TODAY|RAND|RANDBETWEEN|RANDARRAY|INFO|CELL|SHEET|SHEETS|ROW|COLUMN|ROWS|COLUMNS|INDIRECT|OFFSET|ADDRESS)\(", re.I)
MOST_CELLS = 4000


def letters(column):
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


class Office:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        pipe = f"docwright{os.getpid()}"
        if not shutil.which("soffice"):
            sys.exit("SKIPPED: no LibreOffice on this machine")
        self.process = subprocess.Popen(["soffice", f"-env:UserInstallation=file://{self.folder}/profile", "--headless", "--invisible", "--norestore", "--nologo", "--nodefault", f"--accept=pipe,name={pipe};urp;"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for _ in range(240):
            try:
                context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except Exception:
                time.sleep(0.5)
        else:
            sys.exit("SKIPPED: LibreOffice does not start")
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)

    def open(self, path):
        value = PropertyValue()
        value.Name, value.Value = "Hidden", True
        return self.desktop.loadComponentFromURL(uno.systemPathToFileUrl(str(path)), "_blank", 0, (value,))

    def end(self):
        try:
            self.desktop.terminate()
        except Exception:
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def value_of(cell):
    if cell.getError():
        return "error"
    if cell.FormulaResultType2 == 1:
        return cell.Value
    return cell.String


def formulas(document):
    """Value and formula of each cell with a formula, by sheet, row and column."""
    found = {}
    for sheet in document.Sheets:
        for area in sheet.queryContentCells(16).RangeAddresses:
            for row in range(area.StartRow, area.EndRow + 1):
                for column in range(area.StartColumn, area.EndColumn + 1):
                    cell = sheet.getCellByPosition(column, row)
                    if cell.Type == FORMULA:
                        found[sheet.Name, row, column] = (value_of(cell), cell.Formula)
                    if len(found) > MOST_CELLS:
                        return None
    return found


def ours(binary, path):
    """What the file holds, by sheet, row and column: value and formula."""
    listed = run(binary, "read", path)
    found = {}
    for sheet in listed.get("sheets", []):
        name = sheet["name"]
        if not sheet.get("range"):
            continue
        quoted = "'" + name.replace("'", "''") + "'"
        for cell in run(binary, "read", path, "-r", f"{quoted}!{sheet['range']}").get("cells", []):
            match = re.fullmatch(r"([A-Z]+)(\d+)", cell["address"].rsplit("!", 1)[-1])
            column = 0
            for letter in match[1]:
                column = column * 26 + ord(letter) - 64
            found[name, int(match[2]) - 1, column - 1] = cell
    return found


def run(binary, *arguments):
    done = subprocess.run([binary, "xlsx", *map(str, arguments), "--json"], capture_output=True, timeout=120)
    return json.loads(done.stdout or done.stderr)


def same(one, other):
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other))
    if isinstance(one, float) and one in (0.0, 1.0) and isinstance(other, bool):
        return bool(one) == other
    return one == other


def stored(cell):
    value = cell.get("value")
    if isinstance(value, bool):
        return float(value)
    if value is None and str(cell.get("text", "")).startswith("#"):
        return "error"
    return "" if value is None else value


def choices(cells, tables, chance, names):
    """Edits of one workbook, as (told, ours, how LibreOffice makes it, where a cell comes to stand)."""
    name = chance.choice(sorted({sheet for sheet, _, _ in cells}))
    rows = [row for sheet, row, _ in cells if sheet == name]
    columns = [column for sheet, _, column in cells if sheet == name]
    row, column = chance.randint(0, max(rows)), chance.randint(0, max(columns))
    count = chance.randint(1, 3)
    edits = []

    def lines(kind, name, first, count):
        deletes, is_row = kind.startswith("delete"), kind.endswith("rows")

        def make(document):
            sheet = document.Sheets.getByName(name)
            axis = sheet.Rows if is_row else sheet.Columns
            (axis.removeByIndex if deletes else axis.insertByIndex)(first, count)

        def stands(place):
            sheet, *at = place
            index = 0 if is_row else 1
            if sheet != name or at[index] < first:
                return place
            if deletes and at[index] < first + count:
                return None
            at[index] += -count if deletes else count
            return (sheet, *at)

        at = first + 1 if is_row else letters(first)
        edits.append((f"{kind} {name} {at} x{count}", {"op": kind, "sheet": name, "at": at, "count": count}, make, stands))

    lines("insert_rows", name, row, count)
    lines("delete_rows", name, row, count)
    lines("insert_columns", name, column, 1)
    lines("delete_columns", name, column, 1)
    for sheet, left, right in tables:
        if right > left:
            lines("delete_columns", sheet, chance.randint(left, right), 1)
    other = "It's \u00e4 new & name"

    def rename(document):
        document.Sheets.getByName(name).Name = other

    edits.append((f"rename_sheet {name}", {"op": "rename_sheet", "sheet": name, "to": other}, rename, lambda place: (other, *place[1:]) if place[0] == name else place))
    if len(names) > 1:
        to = chance.randrange(len(names))

        def move(document):
            own = names.index(name)
            document.Sheets.moveByName(name, to + 1 if to > own else to)

        edits.append((f"move_sheet {name} {to + 1}", {"op": "move_sheet", "sheet": name, "to": to + 1}, move, lambda place: place))
        edits.append((f"delete_sheet {name}", {"op": "delete_sheet", "sheet": name}, lambda document: document.Sheets.removeByName(name), lambda place: None if place[0] == name else place))
    return edits


def tables_of(path, binary):
    try:
        told = run(binary, "objects", path)
    except Exception:
        return []
    number = lambda text: sum((ord(c) - 64) * 26**i for i, c in enumerate(reversed(text))) - 1
    found = []
    for sheet in told.get("sheets", []):
        for table in sheet.get("tables", []):
            area = re.fullmatch(r"([A-Z]+)\d+:([A-Z]+)\d+", table["area"])
            if area:
                found.append((sheet["name"], number(area[1]), number(area[2])))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--most", type=int, default=60, help="workbooks with formulas that are taken")
    parser.add_argument("--each", type=int, default=3, help="edits of each")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    paths = sorted(path for path in pathlib.Path(options.folder).rglob("*.xls[xm]") if options.only in str(path) and path.stat().st_size < 400_000)
    random.Random(7).shuffle(paths)
    office, work = Office(), pathlib.Path(tempfile.mkdtemp())
    taken = edits = refused = compared = wrong = 0
    left_out = 0
    try:
        for path in paths:
            if taken >= options.most:
                break
            try:
                with zipfile.ZipFile(path) as archive:
                    if not any(name.startswith("xl/worksheets/") and b"<f" in archive.read(name) for name in archive.namelist()):
                        continue
                known = ours(binary, path)
                document = office.open(path)
            except Exception:
                continue
            if document is None:
                continue
            try:
                document.calculateAll()
                before = formulas(document)
                names = [sheet.Name for sheet in document.Sheets]
            finally:
                document.close(True)
            if not before:
                continue
            # Formulas that we calculate otherwise than the file are another matter: `calc --verify` tells them.
            own = {cell["address"] for cell in run(binary, "calc", path, "--verify").get("different", [])}
            calculated = lambda place: f"{place[0]}!{letters(place[2])}{place[1] + 1}" not in {name.replace("'", "") for name in own}
            agreed = {place for place, (value, text) in before.items() if place in known and known[place].get("formula") and not VOLATILE.search(text) and same(value, stored(known[place])) and calculated(place)}
            left_out += len(before) - len(agreed)
            if not agreed:
                continue
            taken += 1
            chance = random.Random(path.name)
            tables = tables_of(path, binary)
            every = choices(agreed, tables, chance, names)
            for told, edit, make, stands in chance.sample(every, min(options.each, len(every))):
                out = work / "after.xlsx"
                out.unlink(missing_ok=True)
                answer = run(binary, "edit", path, "--edits", json.dumps(edit), "-o", out)
                if not out.exists():
                    refused += 1
                    print(f"refused  {path.name}: {told}: {answer.get('error', {}).get('message', answer)}")
                    continue
                after = ours(binary, out)
                document = office.open(path)
                try:
                    document.calculateAll()
                    make(document)
                    document.calculateAll()
                    theirs = formulas(document) or {}
                except Exception as fault:
                    print(f"skipped  {path.name}: {told}: LibreOffice: {fault.__class__.__name__}")
                    continue
                finally:
                    document.close(True)
                edits += 1
                for place in sorted(agreed):
                    now = stands(place)
                    if now is None or now not in theirs:
                        continue
                    compared += 1
                    mine = after.get(now, {})
                    if not same(theirs[now][0], stored(mine)):
                        wrong += 1
                        if wrong <= 60:
                            sheet, row, column = now
                            print(f"DIFFERS  {path.name}: {told}: {sheet}!{letters(column)}{row + 1}: ours {stored(mine)!r} ={mine.get('formula')!s:.80}, LibreOffice {theirs[now][0]!r} {theirs[now][1]:.80}")
            sys.stdout.flush()
    finally:
        office.end()
        shutil.rmtree(work, ignore_errors=True)
    print(f"{taken} workbooks, {edits} edits made by both, {refused} refused by us, {compared} formulas compared, {wrong} differ; {left_out} formulas left out, since LibreOffice had another value before")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
