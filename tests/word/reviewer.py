"""The twelve jobs of a contract reviewer over MCP, and one on a document that others wrote, with what they cost.

    python3 tests/word/reviewer.py BINARY [--corpus FOLDER]

Each job is what an agent does: it finds its places by reading, calls tools, and the result is read from the XML by this
script alone. Printed are the calls, those that failed, and the tokens that went both ways (four bytes are one token).
Without the corpus the job on it says that it was left out.
"""
import argparse
import json
import pathlib
import re
import shutil
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "desk"))
from client import SAMPLES, Place, Refused  # noqa: E402

JOBS = []


def job(function):
    JOBS.append(function)
    return function


class Reviewer:
    """A client that counts."""

    def __init__(self, place, corpus):
        self.place, self.corpus = place, corpus
        self.client = place.stdio("Reviewer", tools="word")
        self.calls = self.failed = self.bytes = 0

    def use(self, tool, **arguments):
        self.calls += 1
        self.bytes += len(json.dumps(arguments))
        try:
            answer = self.client.call(tool, **arguments)
        except Refused as refused:
            self.failed += 1
            self.bytes += len(str(refused))
            raise
        self.bytes += len(json.dumps(answer))
        return answer

    def copy(self, source, name):
        path = self.place.root / name
        shutil.copyfile(source, path)
        return str(path)

    def paragraph(self, path, text):
        """The id of the only paragraph with a text, found as agents find it."""
        found = self.use("grep", file_path=path, patterns=[text])
        ids = set(re.findall(r"jr_para_[0-9a-f]{12}", json.dumps(found)))
        assert len(ids) == 1, (text, ids)
        return ids.pop()


def part(path, name="word/document.xml"):
    with zipfile.ZipFile(path) as package:
        return package.read(name).decode() if name in package.namelist() else ""


def text(xml):
    """What a reader sees with every tracked change accepted."""
    xml = re.sub(r"<w:(del|moveFrom) .*?</w:\1>", "", xml, flags=re.S)
    return re.sub(r"<[^>]+>", "", re.sub(r"</w:p>", "\n", re.sub(r"<w:instrText.*?</w:instrText>", "", xml, flags=re.S)))


def saved(me, path, **more):
    return me.use("save", file_path=path, **more)


@job
def read(me):
    path = me.copy(SAMPLES / "contract.docx", "read.docx")
    page = me.use("read_file", file_path=path)
    assert "thirty (30) days" in json.dumps(page)


@job
def find(me):
    path = me.copy(SAMPLES / "contract.docx", "find.docx")
    found = json.dumps(me.use("grep", file_path=path, patterns=["sixty", "thirty"]))
    assert "sixty" in found and "thirty" in found, found


@job
def rewrite_with_a_cross_reference(me):
    path = me.copy(SAMPLES / "contract.docx", "rewrite.docx")
    target = me.paragraph(path, "base rate")
    page = me.use("read_file", file_path=path, node_ids=[target], format="json")
    page = json.loads(page) if isinstance(page, str) else page
    old = page["nodes"][0]["text"]
    new = old.replace("on sums that are overdue under clause", "on every sum overdue under clause")
    assert new != old
    me.use("smart_edit", file_path=path, target_paragraph_id=target, old_string=old, new_string=new, track="on")
    saved(me, path)
    assert "on every sum overdue under clause 2.1" in text(part(path)) and part(path).count('fldCharType="begin"') == 1


@job
def insert_a_definition(me):
    path = me.copy(SAMPLES / "contract.docx", "definition.docx")
    anchor = me.paragraph(path, "means 1 April 2026")
    new = "“<definition>Invoice Date</definition>” means the date printed on an invoice."
    me.use("smart_insert", file_path=path, positional_anchor_node_id=anchor, position="AFTER", new_string=new)
    saved(me, path)
    assert "“Invoice Date” means the date" in text(part(path))


@job
def delete(me):
    path = me.copy(SAMPLES / "contract.docx", "delete.docx")
    target = me.paragraph(path, "Either party may end it")
    me.use("delete_paragraph", file_path=path, target_paragraph_id=target, track="on")
    saved(me, path)
    assert "Either party may end it" not in text(part(path)) and "<w:delText" in part(path)


@job
def batch(me):
    path = me.copy(SAMPLES / "contract.docx", "batch.docx")
    edits = []
    for old, new in [("thirty (30) days", "forty (40) days"), ("sixty (60) days", "ninety (90) days")]:
        edits.append({"op": "replace", "paragraph_id": me.paragraph(path, old), "old_string": old, "new_string": new})
    me.use("batch_edit_docx", file_path=path, edits=edits)
    saved(me, path)
    assert "forty (40) days" in text(part(path)) and "ninety (90) days" in text(part(path))


@job
def decide_by_author(me):
    path = me.copy(SAMPLES / "contract.docx", "decide.docx")
    assert "Priya Nair" in json.dumps(me.use("list_changes", file_path=path))
    me.use("accept_changes", file_path=path, author="Priya Nair")
    saved(me, path)
    assert "Interest runs at 3%" in text(part(path)) and "<w:del " not in part(path)


@job
def comments(me):
    path = me.copy(SAMPLES / "contract.docx", "comments.docx")
    listed = me.use("docx_comments", file_path=path, action="list")
    first = re.search(r'"(?:comment_)?id": ?"(\w+)"', json.dumps(listed)).group(1)
    me.use("docx_comments", file_path=path, action="reply", comment_id=first, text="Kept, see 2.1.")
    me.use("docx_comments", file_path=path, action="resolve", comment_id=first)
    saved(me, path)
    assert "Kept, see 2.1." in part(path, "word/comments.xml") and 'done="1"' in part(path, "word/commentsExtended.xml")


@job
def notes_header_and_footer(me):
    path = me.copy(SAMPLES / "contract.docx", "notes.docx")
    target = me.paragraph(path, "renewed in writing")
    me.use("docx_references", file_path=path, action="add_footnote", paragraph_id=target, quote="renewed in writing", value="By letter.")
    me.use("docx_references", file_path=path, action="set_header", value="Draft of June")
    me.use("docx_references", file_path=path, action="set_footer", value="Confidential")
    saved(me, path)
    assert "By letter." in part(path, "word/footnotes.xml") and "Draft of June" in part(path, "word/header1.xml")


@job
def compare(me):
    old = me.copy(SAMPLES / "contract.docx", "old.docx")
    new = me.copy(SAMPLES / "contract.docx", "new.docx")
    me.use("ask", file_path=new, request="Replace sixty (60) days with ninety (90) days. Delete clause 1.2. Change the header to 'Final'")
    saved(me, new)
    me.use("compare_documents", file_path=old, revised_path=new)
    saved(me, old, output_path=str(me.place.root / "redline.docx"))
    assert "ninety (90) days" in text(part(me.place.root / "redline.docx"))


@job
def template(me):
    path = me.copy(SAMPLES / "form.docx", "form.docx")
    me.use("apply_template", file_path=path, values={"customer": "Sunshine Foods LLC", "approved": True})
    saved(me, path)
    assert "Sunshine Foods LLC" in text(part(path)) and "Northwind Ltd" not in text(part(path))


@job
def read_what_others_wrote(me):
    if not me.corpus:
        return "left out: there is no corpus"
    source = me.corpus / "open-agreements+open-agreements/templates/common-paper-cc-by-4.0/common-paper-pilot-agreement/template.docx"
    path = me.copy(source, "pilot.docx")
    target = me.paragraph(path, "The laws of {governing_law}")
    me.use("smart_edit", file_path=path, target_paragraph_id=target, old_string="{governing_law}", new_string="Norway", clear_highlight=True)
    saved(me, path)
    assert "The laws of Norway" in text(part(path))


@job
def save_tracked_and_clean(me):
    path = me.copy(SAMPLES / "contract.docx", "both.docx")
    target = me.paragraph(path, "thirty (30) days")
    me.use("smart_edit", file_path=path, target_paragraph_id=target, old_string="thirty (30) days", new_string="ten (10) days", track="off")
    answer = saved(me, path, format="both")
    redline, clean = part(answer["path"]), part(answer["clean"]["path"])
    assert "ten (10) days" in text(redline) and "<w:delText" in redline and "thirty" in redline, answer
    assert "ten (10) days" in text(clean) and "<w:ins " not in clean


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--corpus", default=str(pathlib.Path(__file__).resolve().parents[2].parent / "shared/corpus/docx"))
    arguments = parser.parse_args()
    corpus = pathlib.Path(arguments.corpus)
    bad, total = 0, [0, 0, 0]
    with Place(arguments.binary) as place:
        for run in JOBS:
            me = Reviewer(place, corpus if corpus.is_dir() else None)
            try:
                told = run(me) or "done"
            except (AssertionError, Refused, LookupError, AttributeError, TypeError, ValueError) as error:
                bad, told = bad + 1, f"FAILED: {type(error).__name__} {str(error)[:300]}"
            me.client.close()
            counts = [me.calls, me.failed, me.bytes // 4]
            total = [one + other for one, other in zip(total, counts)]
            print(f"{run.__name__:32} {counts[0]:3} calls {counts[1]:2} failed {counts[2]:6} tokens  {told}")
    print(f"{'all':32} {total[0]:3} calls {total[1]:2} failed {total[2]:6} tokens")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
