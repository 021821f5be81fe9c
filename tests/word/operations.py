#!/usr/bin/env python3
"""Carries out every Word operation with the real binary and asks python-docx and LibreOffice what came of it.

    tests/word/operations.py [PATH/TO/docwright] [--only WORD] [--keep FOLDER] [--quick] [--validate] [--pictures]

Each case runs plain and tracked. The plain result, and the tracked one once accepted, have to show the same things
in both programs: text, cells and spans, styles, lists, looks, sizes. Once rejected, the text is the old one. With
--quick LibreOffice is shown the plain results only; with
--validate (needs ../shared/check) no result may bring a problem that the document did not have; with --pictures each
result is drawn as PNG into the folder that is kept. python-docx and Pillow are installed below ~/.cache/docwright on
the first run. Without LibreOffice that half is skipped, loudly.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
CACHE = pathlib.Path(os.environ.get("DOCWRIGHT_CACHE", pathlib.Path.home() / ".cache/docwright")) / "read-back-word"
AUTHOR = "Case"


def ensure_libraries():
    try:
        import docx, PIL  # noqa: F401
    except ImportError:
        python = CACHE / "venv/bin/python"
        if not (CACHE / ".complete").exists():
            venv.create(CACHE / "venv", with_pip=True)
            subprocess.run([CACHE / "venv/bin/pip", "install", "-q", "python-docx==1.2.0", "pillow==11.3.0"], check=True)
            (CACHE / ".complete").touch()
        os.execv(python, [str(python), *sys.argv])


class Server:
    """The binary, spoken to as a client does."""

    def __init__(self, binary, folder):
        environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"))
        command = [binary, "mcp", "--alone", "--tools", "all", "--root", folder]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.id = 0
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": AUTHOR, "version": "1"}}
        self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.id += 1
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the server is gone")
            answer = json.loads(line)
            if answer.get("id") == self.id:
                return answer["result"]

    def call(self, name, **arguments):
        result = self.ask("tools/call", {"name": name, "arguments": arguments})
        said = result.get("structuredContent") or {}
        if result.get("isError") or said.get("ok") is False:
            raise AssertionError(f"{name} {arguments}: {said or result}")
        return said


class Desk:
    """One document that a case works on."""

    def __init__(self, server, path, track):
        self.server, self.path, self.track, self.prepared = server, str(path), track, False

    def op(self, op, **args):
        meta = {"type": "word.op", "op": op, "version": "1.0", "args": args}
        said = self.server.call("mcp_word__editTask", content=op, meta=meta, filePath=self.path, track=self.track)
        return said["data"]

    def find(self, text):
        results = self.op("search", query=text, matchCase=True, maxResults=1)["results"]
        assert results, f"{text!r} is not in the document"
        return f"rangeId:{results[0]['rangeId']}"

    def table(self, rows, cols, **more):
        """A table to work on, which is there before the case begins."""
        data = [[f"r{r}c{c}" for c in range(cols)] for r in range(rows)]
        track, self.track = self.track, "off"
        made = self.op("table.create", rows=rows, cols=cols, data=data, scope="document", location="end", **more)
        self.track, self.prepared = track, True
        self.start()
        return f"tableId:{made['tableId']}"

    def merged(self, table, **area):
        """Cells of such a table that are one before the case begins."""
        track, self.track = self.track, "off"
        self.op("table.mergeCells", tableRef=table, **area)
        self.track = track
        self.start()

    def start(self):
        # In place, because ids stay with the document that goes on under the new name.
        self.save(self.path)
        shutil.copy(self.path, pathlib.Path(self.path).with_suffix(".start.docx"))

    def save(self, path):
        self.server.call("save", file_path=self.path, output_path=str(path), overwrite=True)


CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def same(what, found, wanted):
    assert found == wanted, f"{what}: {found!r} instead of {wanted!r}"


def look(seen, text, **wanted):
    for found in seen.looks(text):
        same(f"{seen.name}: {text!r}", {key: found[key] for key in wanted}, wanted)


def layout(seen, text, **wanted):
    found = seen.layout(text)
    same(f"{seen.name}: {text!r}", {key: found[key] for key in wanted}, wanted)


def texts(table):
    return [[cell[0] for cell in row] for row in table]


def last(seen):
    """The table that the case made stands behind the one of the contract."""
    return seen.tables()[-1]


# Text.


@case
def insert_text_replaces_a_selection(desk):
    desk.op("setSelection", scope=desk.find("sixty (60) days"))
    desk.op("insertText", text="Hello, Word!", scope="selection", location="replace", newParagraph=False)

    def check(seen):
        assert "Either party may end it by Hello, Word! notice." in seen.paragraphs()
        look(seen, "Hello, Word!", bold=True)

    return check


@case
def insert_text_without_formatting(desk):
    desk.op("insertText", text="ninety days", scope=desk.find("sixty (60) days"), keepFormatting=False)
    return lambda seen: look(seen, "ninety days", bold=False)


@case
def insert_text_at_every_place(desk):
    for location, text in [("start", "base rate"), ("end", "Effective Date and"), ("before", "in writing"), ("after", "Either party")]:
        desk.op("insertText", text="*", scope=desk.find(text), location=location)

    def check(seen):
        found = "\n".join(seen.paragraphs())
        for text in ("the *base rate", "the Effective Date and* ends", "renewed *in writing.", "Either party* may"):
            assert text in found, found

    return check


@case
def insert_text_as_paragraphs(desk):
    desk.op("insertText", text="First of all", scope="document", location="start", newParagraph=True)
    desk.op("insertText", text="Thanks\tvery much", scope="document", location="end", newParagraph=True)
    desk.op("insertText", text="one\ntwo", scope=desk.find("Signed for"), location="before", newParagraph=True)

    def check(seen):
        found = seen.paragraphs()
        same("first", found[0], "First of all")
        same("last", found[-1], "Thanks\tvery much")
        at = next(i for i, text in enumerate(found) if text.startswith("Signed for"))
        same("before", found[at - 2 : at], ["one", "two"])

    return check


@case
def replace_all_and_first(desk):
    same("counted", desk.op("replace", target="searchQuery", query="Customer", matchCase=True, matchWholeWord=True, replaceWith="Client")["replaced"] >= 3, True)
    desk.op("replace", target="searchQuery", query="agreement", replaceWith="deed", mode="replaceFirst", matchCase=True)
    desk.op("replace", target="searchQuery", query=r"(\d+) March (\d+)", useRegex=True, replaceWith="$2-03-$1")
    desk.op("replace", target=desk.find("renewed in writing"), replaceWith="prolonged")

    def check(seen):
        found = "\n".join(seen.paragraphs())
        assert "Customer" not in found and "“Client”" in found, found
        assert "This deed is made on 2026-03-1 between" in found and "This agreement starts on" in found, found
        look(seen, "“Client”", bold=True)
        look(seen, "prolonged", italic=True)

    return check


@case
def replace_with_wildcards(desk):
    desk.op("replace", target="searchQuery", query="([0-9]{2})[)] days", useWildcards=True, replaceWith="\\1) nights")
    return lambda seen: same("found", sum(") nights" in text for text in seen.paragraphs()), 2)


# Formatting.


@case
def characters_are_formatted(desk):
    char = {"bold": True, "italic": True, "underline": "double", "fontName": "Liberation Mono", "fontSize": 15, "color": "#C00000", "highlight": "#FFFF00"}
    desk.op("applyStyle", scope=desk.find("Effective Date and"), char=char)

    def check(seen):
        look(seen, "Effective Date and", bold=True, italic=True, underline="double", size=15.0, font="Liberation Mono", color="C00000", background="FFFF00")
        look(seen, "This agreement starts on the", bold=False, italic=False, underline="none", background=None)

    return check


@case
def colours_beyond_the_palette(desk):
    desk.op("applyStyle", scope=desk.find("in writing"), char={"color": "rgba(0,128,255,1)", "highlight": "#FDE9D9"})
    desk.op("applyStyle", scope=desk.find("Signed for"), char={"highlight": "#00FF00", "underline": "single"})

    def check(seen):
        look(seen, "in writing", color="0080FF", background="FDE9D9", italic=True)
        look(seen, "Signed for", background="00FF00", underline="single")

    return check


@case
def formatting_is_switched_off(desk):
    desk.op("applyStyle", scope=desk.find("Services Agreement"), char={"bold": False, "highlight": "#FFFF00"})
    desk.op("applyStyle", scope=desk.find("Services Agreement"), char={"highlight": "none"})
    desk.op("applyStyle", scope=desk.find("Late payment."), char={"underline": "none"})

    def check(seen):
        look(seen, "Services Agreement", bold=False, background=None)
        look(seen, "Late payment.", underline="none")

    return check


@case
def paragraphs_are_formatted(desk):
    para = {"alignment": "justify", "lineSpacing": 1.5, "spaceBefore": 18, "spaceAfter": 30}
    desk.op("applyStyle", scope=desk.find("This agreement is made"), para=para)
    for alignment, text in [("center", "Services Agreement"), ("right", "Signed for")]:
        desk.op("applyStyle", scope=desk.find(text), para={"alignment": alignment})

    def check(seen):
        layout(seen, "This agreement is made", alignment="justify", line=1.5, before=18.0, after=30.0)
        layout(seen, "Services Agreement", alignment="center")
        layout(seen, "Signed for", alignment="right")

    return check


@case
def the_documented_example_of_apply_style(desk):
    desk.op("setSelection", scope=desk.find("Either party may end it"))
    desk.op("applyStyle", scope="selection", char={"bold": True, "fontSize": 12, "color": "#333333"}, para={"alignment": "justify", "lineSpacing": 1.15}, namedStyle="Normal")

    def check(seen):
        look(seen, "Either party may end it", bold=True, size=12.0, color="333333")
        layout(seen, "Either party may end it", alignment="justify", line=1.15)

    return check


@case
def styles_are_made_when_they_are_missing(desk):
    wanted = [("Heading 2", "Signed for"), ("Intense Quote", "This agreement is made"), ("Subtitle", "Services Agreement")]
    for style, text in wanted:
        desk.op("applyStyle", scope=desk.find(text), namedStyle=style)
    desk.op("applyStyle", scope=desk.find("in writing"), namedStyle="Strong")
    desk.op("applyStyle", scope=desk.find("base rate"), namedStyle="Emphasis")

    def check(seen):
        for style, text in wanted:
            same(seen.name, seen.style(text).lower(), style.lower())
        same(seen.name, {found["style"] for found in seen.looks("in writing")} <= {"Strong", "Strong Emphasis"}, True)
        same(seen.name, {found["style"] for found in seen.looks("base rate")}, {"Emphasis"})

    return check


@case
def styles_by_their_names_in_other_languages(desk):
    for name, text in [("Überschrift 3", "Signed for"), ("Citation", "This agreement is made"), ("副标题", "Services Agreement")]:
        desk.op("applyStyle", scope=desk.find(text), namedStyle=name)

    def check(seen):
        for style, text in [("heading 3", "Signed for"), ("subtitle", "Services Agreement")]:
            same(seen.name, seen.style(text).lower(), style)
        # LibreOffice calls its own style for quotations otherwise.
        assert seen.style("This agreement is made") in ("Quote", "Quotations"), seen.style("This agreement is made")

    return check


@case
def every_built_in_style(desk):
    """Each that the document lacks is written into it; the last one stays on the text."""
    listed = desk.op("listStyles", builtInOnly=True)
    names = {kind: [style["name"] for style in listed[f"{kind}Styles"]] for kind in ("paragraph", "character", "table")}
    for name in names["paragraph"]:
        desk.op("applyStyle", scope=desk.find("Signed for"), namedStyle=name)
    for name in names["character"]:
        desk.op("applyStyle", scope=desk.find("in writing"), namedStyle=name)
    for name in names["table"]:
        desk.op("table.applyStyle", tableRef=desk.find("Engineer"), style=name)

    def check(seen):
        if seen.name == "python-docx":
            known = {style.name.lower() for style in seen.document.styles}
            wanted = {"table grid light": "grid table light", "table normal": "normal table"}
            missing = [n for kind in names.values() for n in kind if wanted.get(n.lower(), n.lower()) not in known]
            same("missing styles", missing, [])
            assert sum(map(len, names.values())) > 60, names
            same("table", seen.document.tables[0].style.name, names["table"][-1])
        same(seen.name, texts(seen.tables()[0])[2], ["Engineer", "950", "40"])

    return check


@case
def list_styles_make_lists(desk):
    desk.op("insertText", text="milk\neggs\nwash\ndry", scope="document", location="end", newParagraph=True)
    for text, style in [("milk", "List Bullet"), ("eggs", "List Bullet"), ("wash", "List Number"), ("dry", "List Number")]:
        desk.op("applyStyle", scope=desk.find(text), namedStyle=style)

    def check(seen):
        for text, style in [("milk", "list bullet"), ("dry", "list number")]:
            same(seen.name, seen.style(text).lower(), style)
        if seen.name == "LibreOffice":
            same(seen.name, [seen.list(text) for text in ("eggs", "wash", "dry")], [("bullet", 0), ("number", 0), ("number", 0)])

    return check


@case
def bulleted_and_numbered_lists(desk):
    desk.op("insertText", text="apples\npears\nplums\nfirst\nsecond", scope="document", location="end", newParagraph=True)
    for text in ("apples", "pears", "plums"):
        desk.op("applyStyle", scope=desk.find(text), para={"list": "bullet"})
    desk.op("applyStyle", scope=desk.find("first"), para={"list": "number"})
    desk.op("applyStyle", scope=desk.find("Either party"), para={"list": "none"})

    def check(seen):
        for text in ("apples", "pears", "plums"):
            same(f"{seen.name} {text}", seen.list(text), ("bullet", 0))
        same(seen.name, seen.list("first"), ("number", 0))
        same(seen.name, seen.list("Either party"), None)
        same(seen.name, seen.list("second"), None)

    return check


@case
def a_list_keeps_its_level(desk):
    desk.op("applyStyle", scope=desk.find("Either party"), para={"list": "bullet"})
    return lambda seen: same(seen.name, seen.list("Either party"), ("bullet", 1))


@case
def formatting_is_cleared(desk):
    scope = desk.find("This agreement is made on 1 March 2026")
    desk.op("applyStyle", scope=scope, char={"italic": True, "color": "#FF0000", "fontSize": 30}, para={"alignment": "right", "spaceAfter": 40})
    desk.op("applyStyle", scope=scope, clearOtherStyles=True, char={"bold": True})
    desk.op("applyStyle", scope=desk.find("Either party may end it by sixty"), clearOtherStyles=True)

    def check(seen):
        look(seen, "This agreement is made on 1 March 2026", bold=True, italic=False)
        for found in seen.looks("This agreement is made on 1 March 2026"):
            assert found["color"] != "FF0000" and found["size"] != 30.0, found
        assert seen.layout("This agreement is made")["alignment"] != "right"
        same(seen.name, seen.list("Either party"), None)
        look(seen, "sixty", bold=False)

    return check


@case
def the_whole_document_is_formatted(desk):
    desk.op("applyStyle", scope="document", char={"fontName": "Liberation Serif", "color": "#1F3864"})

    def check(seen):
        for text in ("Services Agreement", "Late payment.", "Engineer", "Signed for"):
            look(seen, text, font="Liberation Serif", color="1F3864")

    return check


# Tables.


@case
def a_table_with_a_header(desk):
    desk.op("table.create", rows=3, cols=3, header=True, data=[["Name", "Qty"], ["Bolt", "4", "ok"]], scope=desk.find("Signed for"), location="before")

    def check(seen):
        same(seen.name, texts(last(seen)), [["Name", "Qty", ""], ["Bolt", "4", "ok"], ["", "", ""]])
        same(seen.name, seen.header_rows(-1), 1)
        same(seen.name, seen.columns(-1), 3)

    return check


@case
def a_table_in_the_middle(desk):
    desk.op("table.create", rows=2, cols=2, data=[["a", "b"], ["c", "d"]], scope=desk.find("Signed for"), location="before")
    desk.op("table.create", rows=1, cols=1, data=[["top\nbottom"]], scope="document", where="prepend")

    def check(seen):
        same(seen.name, texts(seen.tables()[0]), [["top\nbottom"]])
        same(seen.name, texts(seen.tables()[2]), [["a", "b"], ["c", "d"]])
        same(seen.name, len(seen.tables()), 3)

    return check


@case
def rows_and_columns_come_in(desk):
    table = desk.table(2, 2)
    desk.op("table.insertRows", tableRef=table, at=0, count=2)
    desk.op("table.insertColumns", tableRef=table, at=1, count=1)
    desk.op("table.setCellText", tableRef=table, row=1, col=2, text="new")
    wanted = [["r0c0", "r0c1", ""], ["", "", "new"], ["", "", ""], ["r1c0", "r1c1", ""]]
    return lambda seen: same(seen.name, texts(last(seen)), wanted)


@case
def rows_and_columns_go(desk):
    table = desk.table(4, 4)
    desk.op("table.deleteRows", tableRef=table, indexes=[3, 0])
    desk.op("table.deleteColumns", tableRef=table, indexes=[1, 2])
    return lambda seen: same(seen.name, texts(last(seen)), [["r1c0", "r1c3"], ["r2c0", "r2c3"]])


@case
def cells_are_set(desk):
    table = desk.table(2, 2)
    desk.op("table.setCellText", tableRef=table, row=0, col=0, text="Title")
    desk.op("table.setCellText", tableRef=table, row=1, col=1, text="two\nlines")
    desk.op("table.setCellText", tableRef=desk.find("Day rate"), row=1, col=1, text="1,500")

    def check(seen):
        same(seen.name, texts(last(seen)), [["Title", "r0c1"], ["r1c0", "two\nlines"]])
        same(seen.name, texts(seen.tables()[0])[1], ["Principal", "1,500", "12"])

    return check


@case
def cells_are_merged(desk):
    table = desk.table(3, 3)
    desk.op("table.mergeCells", tableRef=table, startRow=1, startCol=1, rowSpan=2, colSpan=2)
    wanted = [
        [("r0c0", 1, 1), ("r0c1", 1, 1), ("r0c2", 1, 1)],
        [("r1c0", 1, 1), ("r1c1\nr1c2\nr2c1\nr2c2", 2, 2)],
        [("r2c0", 1, 1)],
    ]
    return lambda seen: same(seen.name, last(seen), wanted)


@case
def cells_are_merged_across_and_down(desk):
    table = desk.table(3, 3)
    desk.op("table.mergeCells", tableRef=table, startRow=0, startCol=0, rowSpan=1, colSpan=3)
    desk.op("table.mergeCells", tableRef=table, startRow=1, startCol=0, rowSpan=2, colSpan=1)
    wanted = [
        [("r0c0\nr0c1\nr0c2", 3, 1)],
        [("r1c0\nr2c0", 1, 2), ("r1c1", 1, 1), ("r1c2", 1, 1)],
        [("r2c1", 1, 1), ("r2c2", 1, 1)],
    ]
    return lambda seen: same(seen.name, last(seen), wanted)


@case
def lines_come_into_merged_cells(desk):
    table = desk.table(3, 3)
    desk.op("table.mergeCells", tableRef=table, startRow=0, startCol=0, rowSpan=2, colSpan=2)
    desk.op("table.insertRows", tableRef=table, at=0, count=1)
    desk.op("table.insertColumns", tableRef=table, at=0, count=1)

    def check(seen):
        found = last(seen)
        same(seen.name, found[0][0][1:], (3, 3))
        same(seen.name, [len(row) for row in found], [2, 1, 1, 4])
        same(seen.name, texts(found)[3], ["r2c0", "", "r2c1", "r2c2"])

    return check


@case
def lines_go_from_merged_cells(desk):
    table = desk.table(4, 4)
    desk.merged(table, startRow=0, startCol=0, rowSpan=3, colSpan=3)
    desk.op("table.deleteRows", tableRef=table, indexes=[1])
    desk.op("table.deleteColumns", tableRef=table, indexes=[0])

    def check(seen):
        found = last(seen)
        same(seen.name, [len(row) for row in found], [2, 1, 3])
        same(seen.name, found[0][0][1:], (2, 2))
        assert "r1c1" in found[0][0][0], found

    return check


@case
def the_first_row_of_merged_cells_goes(desk):
    table = desk.table(3, 2)
    desk.merged(table, startRow=0, startCol=0, rowSpan=3, colSpan=1)
    desk.op("table.deleteRows", tableRef=table, indexes=[0])

    def check(seen):
        found = last(seen)
        same(seen.name, [[cell[1:] for cell in row] for row in found], [[(1, 2), (1, 1)], [(1, 1)]])
        same(seen.name, [row[-1][0] for row in found], ["r1c1", "r2c1"])
        same(seen.name, found[0][0][0], "r0c0\nr1c0\nr2c0")

    return check


@case
def a_style_with_bands(desk):
    table = desk.table(4, 3, header=True)
    desk.op("table.applyStyle", tableRef=table, style="Grid Table 4 Accent 1")
    desk.op("table.applyStyle", tableRef=table, style={"bandedRows": True, "firstRow": True, "firstColumn": False})

    def check(seen):
        if seen.name == "python-docx":
            same("style", seen.document.tables[-1].style.name, "Grid Table 4 Accent 1")
        else:
            fills = seen.fills(-1)
            same("header", fills[0], ["156082"] * 3)
            same("bands", fills[1:], [["C1E4F5"] * 3, [None] * 3, ["C1E4F5"] * 3])

    return check


@case
def a_style_with_banded_columns_and_a_total(desk):
    table = desk.table(3, 4)
    desk.op("table.applyStyle", tableRef=table, style={"name": "Grid Table 4", "bandedRows": False, "bandedColumns": True, "lastRow": True, "firstRow": False})

    def check(seen):
        if seen.name == "python-docx":
            look = seen.document.tables[-1]._tbl.tblPr.find("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}tblLook")
            flags = {key.split("}")[1]: value for key, value in look.attrib.items()}
            same("look", [flags[name] for name in ("firstRow", "lastRow", "noHBand", "noVBand")], ["0", "1", "1", "0"])
        else:
            same("bands", seen.fills(-1)[1], ["CCCCCC", None, "CCCCCC", None])

    return check


@case
def a_plain_style_by_its_id(desk):
    desk.op("table.applyStyle", tableRef=desk.find("Engineer"), style="TableGridLight")

    def check(seen):
        if seen.name == "python-docx":
            same("style", seen.document.tables[0].style.name, "Grid Table Light")
        same(seen.name, texts(seen.tables()[0])[2], ["Engineer", "950", "40"])

    return check


# Pictures.


def picture(kind):
    """A picture of 96 by 48 pixels at 144 to the inch, so 48 by 24 points."""
    import io

    from PIL import Image, ImageDraw

    if kind == "svg+xml":
        drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='32' viewBox='0 0 64 32'><rect width='64' height='32' fill='#ffd966'/><circle cx='32' cy='16' r='14' fill='#2e75b6'/><path d='M4 28 L20 4 L28 28 Z' fill='#c00000'/></svg>"
        return base64.b64encode(drawing.encode()).decode()
    image = Image.new("RGB", (96, 48), "#ffd966")
    draw = ImageDraw.Draw(image)
    draw.ellipse((28, 4, 68, 44), fill="#2e75b6")
    draw.rectangle((4, 4, 20, 44), fill="#c00000")
    out = io.BytesIO()
    image.save(out, {"jpeg": "JPEG", "png": "PNG", "gif": "GIF", "bmp": "BMP", "tiff": "TIFF"}[kind], dpi=(144, 144))
    return base64.b64encode(out.getvalue()).decode()


def near(what, found, wanted):
    assert abs(found - wanted) <= 2 * 12700 / 10, f"{what}: {found} instead of {wanted}"


def pictures_of(kind, width, height):
    def run(desk):
        desk.op("insertPicture", source="base64", data=picture(kind), scope="document", location="end", altText=f"A {kind}")

        def check(seen):
            [found] = seen.pictures()
            near(f"{seen.name} width", found["width"], width * 12700)
            near(f"{seen.name} height", found["height"], height * 12700)
            same(seen.name, (found["alt"], found["wrap"]), (f"A {kind}", "inline"))
            if seen.name == "python-docx":
                same("kind", found["kind"], "png" if kind == "svg+xml" else kind)

        return check

    return run


# A GIF does not say how large its dots are: 96 to the inch.
for kind, size in {"png": (48, 24), "jpeg": (48, 24), "gif": (72, 36), "bmp": (48, 24), "tiff": (48, 24), "svg+xml": (48, 24)}.items():
    CASES[f"a_picture_of_the_kind_{kind.split('+')[0]}"] = pictures_of(kind, *size)


def floating(wrap):
    def run(desk):
        scope = desk.find("This agreement is made")
        desk.op("insertPicture", source="base64", data=picture("png"), scope=scope, location="start", width=120, wrapType=wrap, altText=wrap)

        def check(seen):
            [found] = seen.pictures()
            near(f"{seen.name} width", found["width"], 120 * 12700)
            near(f"{seen.name} height", found["height"], 60 * 12700)
            same(seen.name, (found["alt"], found["wrap"]), (wrap, wrap.lower()))

        return check

    return run


for wrap in ("square", "tight", "behind", "inFront"):
    CASES[f"a_picture_that_floats_{wrap}"] = floating(wrap)


@case
def pictures_of_a_given_size(desk):
    data = picture("png")
    scope = desk.find("Signed for")
    desk.op("insertPicture", source="base64", data=data, scope=scope, location="before", height=48)
    desk.op("insertPicture", source="base64", data=data, scope=scope, location="after", width=30, height=90, lockAspectRatio=False)
    desk.op("insertPicture", source="base64", data=f"data:image/png;base64,{data}", scope=desk.find("Engineer"), location="replace", width=60)

    def check(seen):
        sizes = sorted((round(found["width"] / 12700), round(found["height"] / 12700)) for found in seen.pictures())
        same(seen.name, sizes, [(30, 90), (60, 30), (96, 48)])

    return check


def converted(paths, folder, kind):
    """What LibreOffice makes of the files: one run for all, which is much faster than one for each."""
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, len(paths), 60):
        command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore"]
        command += ["--convert-to", kind, "--outdir", str(folder), *map(str, paths[start : start + 60])]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, check=False)
    return {path: folder / f"{path.stem}.{kind}" for path in paths}


def without_writer(document, folder):
    """Why LibreOffice cannot be asked, or None. It is often installed for spreadsheets alone, and then reads no document."""
    if shutil.which("soffice") is None:
        return "LibreOffice (soffice) is not installed"
    if not converted([document], folder, "fodt")[document].exists():
        return "LibreOffice is installed without Writer"
    return None


def carried_out(server, folder, names, failed):
    """Files for each case: plain, tracked, accepted, rejected."""
    made = {}
    for name in names:
        for track in ("off", "on"):
            path = folder / f"{name}-work-{track}.docx"
            shutil.copy(TOP / "samples/contract.docx", path)
            desk = Desk(server, path, track)
            try:
                check = CASES[name](desk)
                result = folder / f"{name}-{'plain' if track == 'off' else 'tracked'}.docx"
                desk.save(result)
                files = made.setdefault(name, {})
                files["plain" if track == "off" else "tracked"] = result
                files["check plain" if track == "off" else "check accepted"] = check
                if track == "on":
                    start = folder / f"{name}-start.docx"
                    shutil.copy(path.with_suffix(".start.docx") if desk.prepared else TOP / "samples/contract.docx", start)
                    server.call("reject_changes", file_path=str(start), all=True)
                    server.call("save", file_path=str(start), overwrite=True)
                    files["start"] = start
                    for tool, end in (("accept_changes", "accepted"), ("reject_changes", "rejected")):
                        copy = folder / f"{name}-{end}.docx"
                        shutil.copy(result, copy)
                        server.call(tool, file_path=str(copy), all=True)
                        server.call("save", file_path=str(copy), overwrite=True)
                        files[end] = copy
            except AssertionError as error:
                failed.append(f"{name} ({track}): {error}")
    return made


def main():
    ensure_libraries()
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", nargs="?", default=TOP / "target/debug/docwright", type=pathlib.Path)
    arguments.add_argument("--only", default="", help="the cases with this in their name")
    arguments.add_argument("--quick", action="store_true", help="LibreOffice opens the plain results only")
    arguments.add_argument("--keep", type=pathlib.Path, help="leave the documents in this folder")
    arguments.add_argument("--validate", action="store_true", help="compare with ../shared/check/validate")
    arguments.add_argument("--pictures", action="store_true", help="draw the results; needs --keep")
    given = arguments.parse_args()
    sys.path.insert(0, str(HERE))
    import readers

    began = time.monotonic()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="docwright-operations-")) if given.keep is None else given.keep.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in CASES if given.only in name]
    failed, checked = [], 0
    server = Server(given.binary.resolve(), folder)
    made = carried_out(server, folder, names, failed)
    base = folder / "base.docx"
    shutil.copy(TOP / "samples/contract.docx", base)
    server.process.stdin.close()
    server.process.wait(timeout=30)

    ends = ("plain", "tracked", "accepted", "rejected")
    files = [paths[end] for paths in made.values() for end in ends if end in paths]
    opened = {}
    missing = without_writer(base, folder / "office")
    if missing is None:
        shown = ("plain",) if given.quick else (*ends, "start")
        opened = converted([paths[end] for paths in made.values() for end in shown if end in paths], folder / "office", "fodt")
    else:
        print(f"SKIPPED: {missing}; only python-docx was asked", flush=True)

    def seen(path):
        yield readers.Docx(str(path))
        if path in opened:
            yield readers.LibreOffice(opened[path])

    for name, paths in made.items():
        for end in ("plain", "accepted", "rejected", "tracked"):
            if end not in paths:
                continue
            try:
                for reader in seen(paths[end]):
                    checked += 1
                    if end in ("plain", "accepted"):
                        paths[f"check {end}"](reader)
                    elif end == "rejected":
                        old = next(old for old in seen(paths["start"]) if old.name == reader.name)
                        same(f"{reader.name}: text once rejected", reader.paragraphs(), old.paragraphs())
            except (AssertionError, LookupError, ValueError, TypeError, OSError) as error:
                failed.append(f"{name} ({end}): {type(error).__name__} {error}")
    told = len(failed)
    for line in failed:
        print(f"FAIL {line}")
    print(f"{len(made)} cases, {len(files)} documents, {checked} readings, {told} failures, {time.monotonic() - began:.0f} s", flush=True)

    if given.validate:
        pairs = folder / "pairs.tsv"
        pairs.write_text("".join(f"{base}\t{path}\n" for path in files))
        command = [TOP / "../shared/check/validate", "--pairs", str(pairs), "--jobs", "2", "--skip", "lo,pandoc"]
        said = subprocess.run(command, capture_output=True, text=True)
        for line in said.stdout.splitlines():
            answer = json.loads(line)
            if answer.get("new_problems"):
                failed.append(f"validate {pathlib.Path(answer['after']).name}: {answer['new_problems']}")
        print(f"validated {len(said.stdout.splitlines())} pairs, {time.monotonic() - began:.0f} s")
        if said.returncode == 2 or not said.stdout:
            failed.append(f"the validators did not run: {said.stderr[-500:]}")
    if given.pictures and given.keep:
        drawn = converted([paths[end] for paths in made.values() for end in ("plain", "tracked") if end in paths], folder / "pdf", "pdf")
        for pdf in drawn.values():
            subprocess.run(["pdftoppm", "-r", "60", "-png", str(pdf), str(pdf.with_suffix(""))], check=False)
    for line in failed[told:]:
        print(f"FAIL {line}")
    if given.keep is None:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if failed or not made else 0


if __name__ == "__main__":
    sys.exit(main())
