"""What the tasks of this folder share: the real binary behind the Python MCP client, and workbooks compared cell by cell.

The workbooks are made with openpyxl, so that nothing of ours has touched them before; results are read back with it, and
with LibreOffice where it is asked for.
"""

import asyncio
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

import openpyxl
from mcp import Client, StdioServerParameters

folder = pathlib.Path(tempfile.mkdtemp(prefix="docwright-tasks-"))
TASKS = []


def task(function):
    TASKS.append(function)
    return function


def sheet_of(rows, name="Data"):
    book = openpyxl.Workbook()
    book.active.title = name
    for row in rows:
        book.active.append(row)
    return book


def cells(path, values=False):
    book = openpyxl.load_workbook(path, data_only=values)
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


class Desk:
    def __init__(self, session):
        self.session = session
        self.path = None

    async def run(self, book, code, save="inplace", **more):
        """The result of a script, the cells as entered and as calculated, and which entries changed."""
        path = folder / f"{len(list(folder.iterdir()))}.xlsx"
        if book is None:
            more["create"] = True
        elif isinstance(book, pathlib.Path):
            path = book
        else:
            book.save(path)
        before = cells(path) if path.exists() else {}
        arguments = {"path": str(path), "code": code, "save_mode": save, **more}
        reply = await self.session.call_tool("xlsx_exec", arguments)
        told = json.loads(reply.content[0].text)
        assert told["ok"], told
        after = cells(path)
        changed = {at for at in before.keys() | after.keys() if before.get(at) != after.get(at)}
        self.path, self.told, self.changed = path, told, changed
        return told["execution"]["result"], after, cells(path, values=True)


def differs(ours, theirs):
    """Whether two calculated values are not the same; errors are errors, and blanks are empty texts."""
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    is_error = [isinstance(value, str) and value.startswith("#") for value in (ours, theirs)]
    return not all(is_error) and (ours or "") != (theirs or "")


def by_libreoffice(paths):
    """Cells whose value LibreOffice calculates otherwise than the file says."""
    out = folder / "libreoffice"
    command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "xlsx", "--outdir", out]
    subprocess.run([*map(str, command), *map(str, paths)], check=True, capture_output=True, timeout=600)
    wrong = []
    for path in paths:
        formulas = {at for at, value in cells(path).items() if isinstance(value, str) and value.startswith("=")}
        ours, theirs = cells(path, values=True), cells(out / path.name, values=True)
        wrong += [f"{path.name} {sheet}!{at}: {ours.get((sheet, at))} and {theirs.get((sheet, at))}"
                  for sheet, at in sorted(formulas)
                  # openpyxl writes no values, and what a script left alone still has none.
                  if (sheet, at) in ours and differs(ours[sheet, at], theirs.get((sheet, at)))]
    return wrong


async def run(binary, only=""):
    failed = []
    saved = []
    server = StdioServerParameters(command=binary, args=["mcp", "--tools", "sheet", "--root", str(folder)])
    async with Client(server, mode="auto") as session:
        for function in TASKS:
            if only not in function.__name__:
                continue
            desk = Desk(session)
            try:
                await function(desk)
                saved.append(desk.path)
                print(f"ok    {function.__name__}", flush=True)
            except Exception as error:  # noqa: BLE001
                failed.append(function.__name__)
                print(f"FAIL  {function.__name__}: {type(error).__name__} {str(error)[:700]}", flush=True)
    asked = len(saved) + len(failed)
    print(f"{len(saved)} of {asked} passed")
    if shutil.which("soffice"):
        wrong = by_libreoffice(saved)
        print("LibreOffice calculates the same" if not wrong else "\n".join(["LibreOffice differs:", *wrong]))
        failed += wrong
    else:
        print("SKIPPED: no soffice to calculate the results again")
    return failed


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    sys.exit(bool(asyncio.run(run(binary, *sys.argv[2:3]))))
