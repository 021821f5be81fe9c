#!/usr/bin/env python3
"""Two sessions change one document by index, in turns: every change lands where it was meant, or gets 409.

    tests/http/interleaved.py [PATH/TO/docwright] [--changes 5000] [--kind md|docx]

Each paragraph has a name that no other has. A session counts paragraphs as it last saw them (often many changes ago),
names one by its number and a place in it, and says nothing of a revision. What the change was meant for is known by the
paragraph's name; after each answer the document is held against a model of it, paragraph by paragraph.
"""

import argparse
import pathlib
import random
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from server import TOP, Api, Refused, serve


class Session:
    def __init__(self, base, name):
        self.api = Api(base)
        self.name = name
        self.api.token = self.api("POST", "/session/create", {"user_id": name})["session_token"]
        self.seen = None

    def look(self, document):
        read = self.api("GET", f"/document/context/{document}?from=0&count=1000")
        self.seen = [paragraph["text"] for paragraph in read["paragraphs"]]
        return self.seen


def label(text):
    return text.split(" ", 1)[0]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binary", nargs="?", default=str(TOP / "target/debug/docwright"))
    options.add_argument("--changes", type=int, default=5000)
    options.add_argument("--kind", choices=["md", "docx"], default="md")
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        docs, state = pathlib.Path(folder) / "docs", pathlib.Path(folder) / "state"
        docs.mkdir()
        state.mkdir()
        document = f"shared.{options.kind}"
        paragraphs = [f"N{n} some words of it" for n in range(40)]
        if options.kind == "md":
            (docs / document).write_text("\n\n".join(paragraphs) + "\n")
        else:
            write_docx(docs / document, paragraphs)
        with serve(options.binary, docs, state, "--auto-approve", "--rate", "document=1000000") as (base, _):
            run(base, document, options, chance)


def run(base, document, options, chance):
    sessions = [Session(base, "Ann"), Session(base, "Bob")]
    model = list(sessions[0].look(document))
    sessions[1].look(document)
    landed = conflicts = 0
    for turn in range(options.changes):
        session, other = chance.sample(sessions, 2)
        seen = session.seen
        number = chance.randrange(len(seen))
        text = seen[number]
        name = label(text)
        kinds = ["insert"] * 4 + ["replace"] * 3 + ["new"] * 2 + ["delete"]
        kind = chance.choice(kinds) if len(model) > 10 else "new"
        start = len(name) + 1
        position = {"paragraph": number}
        expected = None
        at = chance.randint(start, max(start, len(text)))
        if kind == "insert" and len(text) >= start:
            change = {"type": "insert", "position": position | {"character": at}, "content": f"i{turn};"}
            expected = ("edit", name, at, 0, f"i{turn};", text)
        elif kind == "replace" and len(text) > start:
            at = min(at, len(text) - 1)
            length = min(3, len(text) - at)
            content = f"r{turn};"
            if text[at:at + length].strip() == "" or text.endswith(" "):
                continue
            change = {"type": "replace", "position": position | {"character": at, "length": length}, "content": content}
            expected = ("edit", name, at, length, content, text)
        elif kind == "delete" and len(model) > 20:
            change = {"type": "delete", "position": position}
            expected = ("delete", name)
        else:
            change = {"type": "insert", "position": position | {"place": "after"}, "content": f"M{turn} a new one"}
            expected = ("new", name, f"M{turn} a new one", {label(known) for known in seen})
        try:
            answer = session.api("POST", "/document/apply-changes", {"document_id": document, "changes": [change]})
        except Refused as refused:
            if refused.status != 409:
                raise
            conflicts += 1
            session.look(document)
            continue
        assert answer["status"] == "applied" and answer["saved"], answer
        landed += 1
        before = list(model)
        now = session.look(document)
        check(before, now, expected, change, answer)
        model = list(now)
        # What the session saw is often old when it asks next; what it did itself it has seen.
    assert sessions[0].look(document) == sessions[1].look(document)
    print(f"{options.kind}: {landed} changes landed where they were meant, {conflicts} got 409, none went astray")


def check(before, now, expected, change, answer):
    """The document is what it was, but for what was meant."""
    where = [index for index, text in enumerate(before) if label(text) == expected[1]]
    assert len(where) == 1, ("the paragraph that was meant is not there once", expected, change, answer)
    (index,) = where
    if expected[0] == "delete":
        wanted = before[:index] + before[index + 1:]
        assert now == wanted, (expected, change, answer)
    elif expected[0] == "new":
        # Between the two may stand what others wrote behind the same paragraph, which the session had not seen.
        at = now.index(expected[2])
        between = [label(text) for text in now[index + 1:at]]
        assert at > index and not expected[3].intersection(between), (expected, change, answer)
        assert now[:at] + now[at + 1:] == before, (expected, change, answer)
    else:
        _, _, at, length, content, seen = expected
        assert now[:index] == before[:index] and now[index + 1:] == before[index + 1:], (expected, change, answer)
        # Others may have written in the same paragraph: then what stood around the place stands around it still.
        text, left, right = now[index], seen[max(0, at - 3):at], seen[at + length:at + length + 3]
        found = text.find(content)
        assert found >= 0 and text.count(content) == 1, (expected, text)
        assert len(text) == len(before[index]) - length + len(content), (expected, before[index], text)
        if before[index] == seen:
            assert text == seen[:at] + content + seen[at + length:], (expected, text)
        else:
            whole = text[:found] + seen[at:at + length] + text[found + len(content):]
            assert whole == before[index], (expected, before[index], text)
            near_left = left in text[max(0, found - 40):found] or not left
            near_right = right in text[found:found + 60] or not right
            assert near_left or near_right, (expected, text)


def write_docx(path, paragraphs):
    """The least that is a Word document."""
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>'
    )
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{office}" Target="word/document.xml"/></Relationships>'
    )
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", types)
        package.writestr("_rels/.rels", rels)
        package.writestr("word/document.xml", f'<w:document xmlns:w="{space}"><w:body>{body}<w:sectPr/></w:body></w:document>')


if __name__ == "__main__":
    main()
