#!/usr/bin/env python3
"""What openpyxl and LibreOffice read in workbooks that we edited.

    mkdir -p /tmp/pairs && SHEET_PAIRS=/tmp/pairs SHEET_KIND=number,text,insert_rows,insert_columns \\
        cargo test -p sheet --test it pairs && python3 tests/sheet/read_back.py /tmp/pairs

A cell that was set has to have the new value for both. After rows or columns were inserted, LibreOffice has to
calculate the values it calculated before, each in its new place. Files that a program cannot open before the edit
are counted apart; `values.tsv` of every_file.py will do as well. openpyxl is installed below ~/.cache/docwright on the first run.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv

CACHE = pathlib.Path(os.environ.get("DOCWRIGHT_CACHE", pathlib.Path.home() / ".cache/docwright")) / "read-back"


def ensure_openpyxl():
    try:
        import openpyxl  # noqa: F401
    except ImportError:
        python = CACHE / "venv/bin/python"
        if not python.exists():
            venv.create(CACHE / "venv", with_pip=True)
            subprocess.run([CACHE / "venv/bin/pip", "install", "-q", "openpyxl==3.1.5"], check=True)
        os.execv(python, [str(python), *sys.argv])


def convert(paths, folder):
    """LibreOffice opens each file, calculates it and saves what it has; answers the copies."""
    copies = {}
    folder.mkdir(parents=True, exist_ok=True)
    inputs = folder / "in"
    inputs.mkdir(exist_ok=True)
    for index, path in enumerate(paths):
        name = f"{index}{pathlib.Path(path).suffix}"
        shutil.copy(path, inputs / name)
        copies[path] = folder / f"{index}.xlsx"
    files = [str(path) for path in sorted(inputs.iterdir())]
    for start in range(0, len(files), 40):
        profile = f"-env:UserInstallation=file://{folder}/profile"
        try:
            subprocess.run(["soffice", profile, "--headless", "--norestore", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder), *files[start : start + 40]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=240)
        except subprocess.TimeoutExpired:
            print(f"LibreOffice took too long on files {start} to {start + 40}")
    return copies


def read(path, sheet, cell=None):
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True)
    name = next(known for known in book.sheetnames if known.lower() == sheet.lower())
    if cell:
        return book[name][cell].value
    return {(c.row, c.column): c.value for row in book[name].iter_rows() for c in row if c.value is not None}


def plain(value):
    """A number in a cell that shows dates or percents is read as what it shows."""
    import datetime
    import openpyxl.utils.datetime as dates

    if isinstance(value, (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)):
        return dates.to_excel(value)
    return value


def same(a, b):
    if isinstance(b, float):
        a = plain(a)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))
    return str(a).replace("\r\n", "\n") == str(b).replace("\r\n", "\n")


VOLATILE = re.compile(r"\b(ROW|ROWS|COLUMN|COLUMNS|CELL|ADDRESS|INDIRECT|OFFSET|NOW|TODAY|RAND\w*|INFO|SHEETS?|SUBTOTAL)\(", re.I)


def moves(path, sheet):
    """Whether values may rightly change when lines come in: formulas that look at places or the clock."""
    import openpyxl

    book = openpyxl.load_workbook(path)
    for tab in book.worksheets:
        for row in tab.iter_rows():
            for cell in row:
                if isinstance(cell.value, str) and cell.value.startswith("=") and VOLATILE.search(cell.value):
                    return True
                if cell.data_type == "f" and not isinstance(cell.value, str):
                    return True
    return False


def main():
    ensure_openpyxl()
    folder = pathlib.Path(sys.argv[1])
    rows = [line.rstrip("\n").split("\t") for line in (folder / "values.tsv").open(encoding="utf-8")]
    rows = [row for row in rows if row[2].endswith(("xlsx", "xlsm"))]
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch:
        structural = [row for row in rows if row[0].startswith("insert")]
        paths = [row[2] for row in rows] + sorted({row[1] for row in structural})
        copies = convert(paths, pathlib.Path(scratch) / "lo")
        for kind, before, after, sheet, cell, value in rows:
            if kind.startswith("insert"):
                try:
                    if moves(before, sheet):
                        counts["insert: looks at places or the clock, left out"] += 1
                        continue
                    old, new = read(copies[before], sheet), read(copies[after], sheet)
                except Exception as error:
                    counts[f"insert: not read before or after ({type(error).__name__})"] += 1
                    continue
                at, count = map(int, value.split())
                rows_in = kind == "insert_rows"
                shift = lambda r, c: (r + count * (r > at), c) if rows_in else (r, c + count * (c > at))
                bad = [(place, v, new.get(shift(*place))) for place, v in old.items() if not same(v, new.get(shift(*place)))]
                counts[f"{kind}: {'agrees' if not bad else 'DIFFERS'}"] += 1
                if bad:
                    wrong.append(f"{kind} {after} ({before}): {len(bad)} of {len(old)}, first {bad[0]}")
                continue
            expected = float(value) if kind in ("number", "formula") else value
            for who, path in (("openpyxl", after), ("LibreOffice", copies[after])):
                try:
                    found = read(path, sheet, cell)
                except Exception as error:
                    try:
                        read(before, sheet, cell)
                    except Exception:
                        counts[f"{who}: cannot read the file before the edit either"] += 1
                        continue
                    counts[f"{who}: cannot read the edited file"] += 1
                    wrong.append(f"{who} {after} ({before}): {type(error).__name__} {error}")
                    continue
                counts[f"{who}: {'reads the new value' if same(found, expected) else 'READS ANOTHER'}"] += 1
                if not same(found, expected):
                    wrong.append(f"{who} {after} ({before}) {sheet}!{cell}: {found!r}")
    for line in wrong:
        print(line)
    for what, count in sorted(counts.items()):
        print(f"{count:6} {what}")
    sys.exit(1 if any("READS ANOTHER" in what or "DIFFERS" in what or "edited file" in what for what in counts) else 0)


main()
