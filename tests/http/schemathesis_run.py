#!/usr/bin/env python3
"""Runs schemathesis over the server's own OpenAPI document: no server error and no undocumented answer.

    tests/http/schemathesis_run.py [PATH/TO/docwright] [--examples 15]

What it needs is installed once into ${DOCWRIGHT_CACHE:-~/.cache/docwright}/schemathesis. The seed is fixed, so that the
gate judges the change and not the day.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from server import TOP, Api, serve

VERSION = "4.32.5"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"


def tool():
    base = os.environ.get("DOCWRIGHT_CACHE") or pathlib.Path.home() / ".cache" / "docwright"
    folder = pathlib.Path(base) / "schemathesis" / VERSION
    if not (folder / ".complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/python", "-m", "pip", "install", "-q", f"schemathesis=={VERSION}"], check=True)
        (folder / ".complete").touch()
    return folder / "bin" / "schemathesis"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binary", nargs="?", default=str(TOP / "target/debug/docwright"))
    options.add_argument("--examples", type=int, default=15)
    options = options.parse_args()
    program = tool()
    with tempfile.TemporaryDirectory() as folder:
        docs, state = pathlib.Path(folder) / "docs", pathlib.Path(folder) / "state"
        docs.mkdir()
        state.mkdir()
        for sample in ("contract.docx", "budget.xlsx", "handbook.md"):
            shutil.copy(TOP / "samples" / sample, docs)
        wide = [option for kind in ("chat", "execute", "document", "mcp", "session", "other") for option in ("--rate", f"{kind}=10000000")]
        with serve(options.binary, docs, state, "--auto-approve", *wide) as (base, _):
            token = Api(base)("POST", "/session/create", {"user_id": "schemathesis"})["session_token"]
            command = [
                program, "run", base + "/openapi.json", "--checks", CHECKS, "--phases", "examples,coverage,fuzzing",
                "--max-examples", str(options.examples), "--seed", "20260101", "--generation-database", "none",
                "--workers", "1", "--request-timeout", "20", "--suppress-health-check", "all",
                # A stream follows its run, and what ends the session would end all that comes after it.
                "--exclude-path-regex", "/chat/stream/", "--exclude-operation-id", "delete_session",
                "--header", f"Authorization: Bearer {token}",
            ]
            done = subprocess.run([str(part) for part in command], cwd=folder)
            if done.returncode:
                raise SystemExit("schemathesis found something")
    print("ok  schemathesis: no server error and no undocumented answer")


if __name__ == "__main__":
    main()
