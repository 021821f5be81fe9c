"""Random tool calls over a folder of Markdown files, through the real binary.

    python3 tests/markdown/random_calls.py BINARY FOLDER [CALLS_PER_FILE] [SEED]

Each file is tried as it is, with CRLF, with a byte order mark and with tabs for the indentation of its lists. After each
call everything outside the block that it names must be there byte for byte, the block must say what was asked for, and
undo must give back every byte. A refusal is an answer; an internal error is not. Nothing in FOLDER is written.
"""

import collections
import os
import random
import re
import sys
import tempfile

from mcp import Client

CALLS = int(sys.argv[3]) if len(sys.argv) > 3 else 6
SEED = sys.argv[4] if len(sys.argv) > 4 else "1723"
MOST = 150_000  # characters; longer files cost minutes and say nothing new


def variants(data):
    text = data.decode("utf-8")
    yield "", data
    if "\r" not in text:
        yield "crlf", text.replace("\n", "\r\n").encode()
    if not data.startswith(b"\xef\xbb\xbf"):
        yield "bom", b"\xef\xbb\xbf" + data
    tabbed = re.sub(r"(?m)^(?: {4})+(?=[-*+] |\d+[.)] )", lambda m: "\t" * (len(m[0]) // 4), text)
    if tabbed != text:
        yield "tabs", tabbed.encode()


def content(client):
    parts, offset = [], 0
    while True:
        text, _, failed = client.call("document_get_content", offset=offset, limit=15000)
        assert not failed, text
        parts.append(text)
        offset += len(text)
        if len(text) < 15000:
            return "".join(parts)


def blocks(client):
    listed, offset = [], 0
    while True:
        _, facts, failed = client.call("list_blocks", offset=offset, limit=300)
        assert not failed
        rows = facts["result"]
        listed += [row for row in rows if "nodeId" in row]
        if not rows or "more" not in rows[-1]:
            return listed
        offset = len(listed)


WORDS = ["alpha", "a | b", "x `y|z` w", "*so*", "plain words here", "1. not", "漢字,abc", "tail\\", "[[p|q]]", "$|x|$"]


def choose(rng, block):
    """A call for a block, and what its text must be afterwards, if that can be said."""
    kind, node = block["type"], block["nodeId"]
    word = rng.choice(WORDS)
    edit = lambda operation: ("batch_edit", {"operations": [operation], "mode": "apply"})
    if kind == "table":
        return rng.choice([
            ("table_modify", {"nodeId": node, "operations": [{"type": "setCellContent", "row": rng.randint(0, 1), "col": 0, "content": rng.choice(["", word])}]}),
            ("table_modify", {"nodeId": node, "operations": [{"type": "deleteColumn", "index": 0}]}),
            ("table_modify", {"nodeId": node, "operations": [{"type": "addColumn", "index": rng.randint(0, 1), "header": "", "cells": []}]}),
            ("table_modify", {"nodeId": node, "operations": [{"type": "addRow", "cells": ["", word]}]}),
            ("table_modify", {"nodeId": node, "operations": [{"type": "setHeaderRow"}]}),
        ]), None
    if kind in ("bulletList", "orderedList", "taskList"):
        return rng.choice([
            ("list_modify", {"nodeId": node, "operations": [{"type": "setItemContent", "index": 0, "content": word}]}),
            ("list_modify", {"nodeId": node, "operations": [{"type": "addItem", "content": word}]}),
            ("list_modify", {"nodeId": node, "operations": [{"type": "addItem", "index": 0, "content": word}]}),
            ("list_modify", {"nodeId": node, "operations": [{"type": "deleteItem", "index": 0}]}),
            ("list_modify", {"nodeId": node, "operations": [{"type": "indent", "index": 1}]}),
            ("list_modify", {"nodeId": node, "operations": [{"type": "setChecked", "index": 0, "checked": True}]}),
        ]), None
    if kind in ("paragraph", "heading"):
        return rng.choice([
            (edit({"type": "update", "nodeId": node, "content": "Plain new words"}), "Plain new words"),
            (edit({"type": "insert", "after": node, "content": "Plain new words"}), "Plain new words"),
            (edit({"type": "insert", "before": node, "content": "Plain new words"}), "Plain new words"),
            (edit({"type": "delete", "nodeId": node}), None),
            (edit({"type": "format", "nodeId": node, "marks": ["bold"]}), None),
        ])
    return rng.choice([
        (edit({"type": "insert", "after": node, "content": "Plain new words"}), "Plain new words"),
        (edit({"type": "delete", "nodeId": node}), None),
    ])


def line_bounds(text, start, end):
    """The lines of a range, with the blank ones around it and what stands before it on its first line."""
    first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    while first > 0:
        above = text.rfind("\n", 0, first - 1) + 1
        if text[above:first].strip(" \t>\r\n"):
            break
        first = above
    last = end
    while last < len(text):
        behind = text.find("\n", last)
        if behind < 0:
            return first, len(text)
        if text[last:behind].strip(" \t>\r"):
            break
        last = behind + 1
    return first, last


def main():
    binary, folder = sys.argv[1], sys.argv[2]
    counts, faults, skipped = collections.Counter(), [], 0
    work = tempfile.mkdtemp()
    client = Client(binary, work)
    path = os.path.join(work, "doc.md")
    for base, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.lower().endswith((".md", ".markdown", ".mdx")):
                continue
            source = os.path.join(base, name)
            data = open(source, "rb").read()
            try:
                too_long = len(data.decode("utf-8")) > MOST
            except UnicodeDecodeError:
                too_long = True
            if too_long:
                skipped += 1
                continue
            for variant, bytes_ in variants(data):
                rng = random.Random(f"{SEED}{source}{variant}")
                path = os.path.join(work, f"{counts['files']}.md")
                counts["files"] += 1
                with open(path, "wb") as file:
                    file.write(bytes_)
                text, _, failed = client.call("workspace_open_document", path=path)
                if failed:
                    faults.append((source, variant, "open", text))
                    continue
                one(client, rng, source, variant, counts, faults)
                client.call("tabs_close", force=True)
                os.remove(path)
    client.close()
    print(f"{counts['files']} documents, {counts['done']} calls done, {counts['refused']} refused, {skipped} files left out as too long or no UTF-8")
    print("refused:", {k[8:]: v for k, v in counts.items() if k.startswith("refused ")})
    for fault in faults[:40]:
        print("FAULT", *[str(part)[:600] for part in fault], sep="\n    ")
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


def one(client, rng, source, variant, counts, faults):
    before = content(client)
    for _ in range(CALLS):
        listed = blocks(client)
        if not listed:
            return
        block = rng.choice(listed)
        (tool, arguments), wanted = choose(rng, block)
        _, place, _ = client.call("resolve_targets", targets=[block["nodeId"]])
        place = place["result"][0]
        text, facts, failed = client.call(tool, **arguments)
        if failed:
            code = text.split(":")[0]
            counts["refused"] += 1
            counts[f"refused {code}"] += 1
            if code in ("INTERNAL_ERROR", "internal_error"):
                faults.append((source, variant, tool, arguments, text))
            if content(client) != before:
                faults.append((source, variant, tool, arguments, "refused, and changed all the same"))
                return
            continue
        counts["done"] += 1
        after = content(client)
        first, last = line_bounds(before, place["from"], place["to"])
        tail = len(before) - last
        kept = after.startswith(before[:first].rstrip(" \t\r\n>")) and (tail == 0 or after.endswith(before[last:].lstrip(" \t\r\n>")))
        if not kept:
            faults.append((source, variant, tool, arguments, "text outside the block changed", block["content"][:80]))
        if "\r\n" in before and re.search(r"(?<!\r)\n", after) and not re.search(r"(?<!\r)\n", before):
            faults.append((source, variant, tool, arguments, "bare line feed"))
        if wanted is not None:
            ids = [id for id in facts["changedNodeIds"]]
            found = [row["content"] for row in blocks(client) if row["nodeId"] in ids]
            if not any(wanted in said for said in found):
                faults.append((source, variant, tool, arguments, f"asked for {wanted!r}, found {found!r}"))
        if after != before:
            text, _, failed = client.call("editor_undo")
            if failed or content(client) != before:
                faults.append((source, variant, tool, arguments, "undo did not give back every byte: " + text))
                return


main()
