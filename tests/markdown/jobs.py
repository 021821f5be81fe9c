"""Twelve jobs of a technical writer, over MCP with the real binary: calls, failed calls, and what they cost in tokens.

    python3 tests/markdown/jobs.py BINARY

Each job opens its own file, works as an agent would that reads once and edits by what it read, saves, and compares the
file with what the job was about. A token is taken as four bytes of arguments and answers.
"""

import os
import sys
import tempfile

from mcp import Client

DOC = """# Handbook

Intro text.

## Install

1. Download the cat.
2. Run `cat`.
3. Done.

Same words.

## Use

- [ ] first
- [x] second

Same words.

Name | Value
--- | ---
one | 1
two | 2

## Links

See [cat](cat.md) and the cat.
"""


def ids(client):
    _, facts, _ = client.call("list_blocks")
    return [row for row in facts["result"] if "nodeId" in row]


def find(rows, kind, text=""):
    return next(row["nodeId"] for row in rows if row["type"] == kind and text in row["content"])


def apply(client, *operations):
    return client.call("batch_edit", operations=list(operations), mode="apply")


def stale_ids(client):
    rows = ids(client)
    apply(client, {"type": "delete", "nodeId": find(rows, "paragraph", "Intro")})
    apply(client, {"type": "update", "nodeId": find(rows, "paragraph", "See"), "content": "See nothing."})
    return lambda text: "See nothing." in text and "Intro" not in text and text.count("Same words.") == 2


def bare_stale_ids(client):
    rows = ids(client)
    bare = lambda id: id.split("@")[0]
    apply(client, {"type": "delete", "nodeId": bare(find(rows, "paragraph", "Intro"))})
    text, _, failed = apply(client, {"type": "update", "nodeId": bare(find(rows, "paragraph", "See")), "content": "X"})
    assert failed or True
    return lambda text: text.count("Same words.") == 2 and "X" in text or "See [cat]" in text and "1." in text


def front_matter(client):
    apply(client, {"type": "update", "nodeId": "meta-0", "content": "title: Handbook"})
    return lambda text: text.startswith("---\ntitle: Handbook\n---\n\n# Handbook")


def before_first(client):
    apply(client, {"type": "insert", "before": find(ids(client), "heading", "Handbook"), "content": "Draft."})
    return lambda text: text.startswith("Draft.\n\n# Handbook")


def prose_only(client):
    client.call("document_replace", search="cat", replace="dog", all=True, within="prose")
    return lambda text: "Run `cat`." in text and "[dog](cat.md) and the dog." in text


def pipe_in_cell(client):
    client.call("document_replace", search="two", replace="two | more")
    return lambda text: "one \\| more | 1" in text


def drop_column(client):
    client.call("table_modify", nodeId=find(ids(client), "table"), operations=[{"type": "deleteColumn", "index": 1}])
    return lambda text: "| Name |\n| --- |\n| one |\n| two |" in text


def empty_cell(client):
    client.call("table_modify", nodeId=find(ids(client), "table"), operations=[{"type": "setCellContent", "row": 1, "col": 0, "content": ""}])
    return lambda text: "|  | 1 |" in text


def renumber(client):
    client.call("list_modify", nodeId=find(ids(client), "orderedList"), operations=[{"type": "addItem", "index": 1, "content": "Check it."}])
    return lambda text: "2. Check it.\n3. Run `cat`.\n4. Done." in text


def tick(client):
    client.call("list_modify", nodeId=find(ids(client), "taskList"), operations=[{"type": "setChecked", "index": 0, "checked": True}])
    return lambda text: "- [x] first" in text


def move(client):
    client.call("move_section", nodeId="Install", after="Use", mode="apply")
    return lambda text: text.index("## Use") < text.index("## Install") < text.index("## Links")


def rewrite(client):
    client.call("update_section", nodeId="Links", content="None yet.", mode="apply")
    return lambda text: text.endswith("## Links\n\nNone yet.\n")


JOBS = [stale_ids, bare_stale_ids, front_matter, before_first, prose_only, pipe_in_cell, drop_column, empty_cell, renumber, tick, move, rewrite]


def main():
    failed = 0
    total = [0, 0, 0]
    for job in JOBS:
        work = tempfile.mkdtemp()
        path = os.path.join(work, "doc.md")
        with open(path, "w") as file:
            file.write(DOC)
        client = Client(sys.argv[1], work, tools="markdown")
        if client.call("workspace_open_document", path=path)[2]:
            client.close()
            client = Client(sys.argv[1], work, tools="all")
            client.call("workspace_open_document", path=path)
        try:
            wanted = job(client)
            client.call("workspace_save_document")
            done = wanted(open(path).read())
        except Exception as error:
            done = False
            print("   ", repr(error)[:200])
        figures = client.calls, client.failed, client.bytes // 4
        total = [a + b for a, b in zip(total, figures)]
        print(f"{'done ' if done else 'WRONG'} {job.__name__:16} {figures[0]:3} calls {figures[1]:3} failed {figures[2]:6} tokens")
        failed += not done
        client.close()
    print(f"{len(JOBS) - failed} of {len(JOBS)} done, {total[0]} calls, {total[1]} failed, {total[2]} tokens")
    sys.exit(1 if failed else 0)


main()
