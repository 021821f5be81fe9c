"""What happens between a script and its writing: another caller changes the workbook, or a person decides first.

    python tests/xlsx/between.py PATH/TO/docwright

Needs the packages of tests/clients/requirements.txt and openpyxl.
"""

import asyncio
import json
import os
import pathlib
import sys
import tempfile

import openpyxl
from desk import sheet_of
from mcp import Client, StdioServerParameters

folder = pathlib.Path(tempfile.mkdtemp(prefix="docwright-between-"))


def server(binary, *more):
    state = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    arguments = ["mcp", "--tools", "all", "--root", str(folder), *more]
    return StdioServerParameters(command=binary, args=arguments, env=state)


def workbook(name):
    path = folder / name
    sheet_of([[1, "=A1*2"], [2, "=A2*2"]]).save(path)
    return path


def value(path, at):
    return openpyxl.load_workbook(path)["Data"][at].value


async def run(session, path, code):
    reply = await session.call_tool("xlsx_exec", {"path": str(path), "code": code, "save_mode": "inplace"})
    return json.loads(reply.content[0].text)


async def moved_head(binary):
    path = workbook("moved.xlsx")
    slow = """await xlsx.setCells(wb, [{address: "Data!A1", value: 77}]);
        for (const end = Date.now() + 3000; Date.now() < end; );"""
    quick = 'await xlsx.setCells(wb, [{address: "Data!A2", value: 5}])'
    async with Client(server(binary), mode="auto") as one, Client(server(binary), mode="auto") as other:
        await run(one, path, "return 1")
        late = asyncio.create_task(run(one, path, slow))
        await asyncio.sleep(1)
        assert (await run(other, path, quick))["write"]["status"] == "written"
        told = await late
        assert not told["ok"] and told["write"]["status"] == "failed", told
        assert told["error"]["code"] == "WRITEBACK_FAILED" and told["error"]["retryable"], told
        assert (value(path, "A1"), value(path, "A2")) == (1, 5)
        assert (await run(one, path, slow))["write"]["status"] == "written"
        assert (value(path, "A1"), value(path, "A2")) == (77, 5)


async def staged(binary):
    path = workbook("staged.xlsx")
    before = path.read_bytes()
    options = ["--policy", "excel=suggest", "--agents-may-accept"]
    code = """await xlsx.setCells(wb, [{address: "Data!A1", value: 77}]);
        await xlsx.addSheet(wb, "New"); await xlsx.setCells(wb, [{address: "New!A1", formula: "=Data!B1+1"}])"""
    async with Client(server(binary, *options), mode="auto") as session:
        first = (await run(session, path, code))["write"]
        second = (await run(session, path, code.replace("77", "50").replace("New", "Newer")))["write"]
        assert first["status"] == second["status"] == "suggested", (first, second)
        assert path.read_bytes() == before
        taken = await session.call_tool("suggestion_accept", {"suggestionId": first["suggestion_id"]})
        assert not taken.is_error, taken
        # It read and wrote what the first one changed, so nobody knows what it would do now.
        stale = await session.call_tool("suggestion_accept", {"suggestionId": second["suggestion_id"]})
        assert stale.is_error, stale
        shown = await session.call_tool("xlsx_read", {"path": str(path), "range": "New!A1"})
        assert "155" in shown.content[0].text, shown


async def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    for proof in (moved_head, staged):
        await proof(binary)
        print(f"ok    {proof.__name__}")


asyncio.run(main())
