#!/usr/bin/env python3
"""Every answer to a write names the file that it was made in.

    python3 tests/desk/named.py BINARY [--calls 4000] [--seed N]

All tools that `tools/list` says may change something are called with plausible arguments, each on the document that the
call names or that is in front. An answer that tells of a change has the path of a file in it, or the title of a document
that has none; of tools that only move a caller's places (tabs, windows, selections) nothing is asked. Prints how often each
tool answered, and which never did, because a tool that always refuses proves nothing. Exits with 1 if an answer names
nothing.
"""
import argparse
import collections
import json
import random
import re

from arguments import Known, plausible
from client import SAMPLES, Late, Place, Refused, Verdict

# They change no document.
PLACES = {
    "editor_focus", "cursor_set_position", "selection_set", "tabs_switch", "workspace_focus_window",
    "workspace_close_window", "tabs_create", "tabs_close", "tabs_reopen_closed", "workspace_new_document",
}
# A path, or what the caller called a document that has none.
NAMED = re.compile(r"\.(docx|xlsx|md)\b|\"(file|filePath|path|title)\": \"[^\"]")
# What an answer has that tells of a change, made or staged; some of these tools also list.
CHANGED = re.compile(r"\"(revision|suggestionId|suggestion_id|applied)\": |\"status\": ?\"(written|suggested|applied)\"")


def ready(place):
    for sample in ("contract.docx", "budget.xlsx", "handbook.md"):
        place.copy(SAMPLES / sample, sample)
    (place.root / "table.md").write_text("# Scope\n\nthe first\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- item\n- [x] done\n\nlast of the text\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--calls", type=int, default=4000)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    verdict, chance = Verdict("named"), random.Random(given.seed)
    answered, silent = collections.Counter(), collections.Counter()
    with Place(given.binary) as place:
        ready(place)
        client = place.stdio(name="ann", more=["--agents-may-accept"])
        known = Known(["contract.docx", "budget.xlsx", "handbook.md", "table.md"])
        tools = [tool for tool in client.tools() if not tool["annotations"]["readOnlyHint"] and tool["name"] not in PLACES]
        for number in range(given.calls):
            if number % 40 == 0:
                # What the calls before left of the documents may be nothing that others can work on.
                for name in known.paths:
                    try:
                        client.call("workspace_open_document", path=name, reload=True)
                    except Refused:
                        pass
                ready(place)
            for name in ("contract.docx", "table.md"):
                if number % 40 == 1:
                    known.learn(json.dumps(client.call("read_file", file_path=name)) if name.endswith("docx") else "")
            tool = tools[number % len(tools)]
            call = plausible(tool, known, chance)
            try:
                said = client.call(tool["name"], seconds_=60, **call)
            except Refused as refused:
                known.learn(refused.text or "")
                continue
            except Late as late:
                verdict.fail(f"{tool['name']} {call}: {late}")
                break
            text = said if isinstance(said, str) else json.dumps(said)
            known.learn(text)
            answered[tool["name"]] += 1
            verdict.checked += 1
            if CHANGED.search(text) and not NAMED.search(text):
                silent[tool["name"]] += 1
                if silent[tool["name"]] == 1:
                    verdict.check(False, f"{tool['name']} {json.dumps(call)[:200]} names no file: {text[:300]}")
        verdict.check(bool(answered), "no tool answered")
        never = sorted({tool["name"] for tool in tools} - set(answered))
        print(f"{sum(answered.values())} answers of {len(answered)} tools; never answered: {', '.join(never) or 'none'}")
    verdict.end()


if __name__ == "__main__":
    main()
