"""What python-docx and LibreOffice see in a Word document, asked for in the same words.

Both readers answer paragraphs, looks of pieces of text, tables with their spans, lists and pictures. Neither shares
code with the product.
"""
import re
import xml.etree.ElementTree as ElementTree

import docx
from docx.oxml.ns import qn

EMU = {"in": 914400, "cm": 360000, "mm": 36000, "pt": 12700}


class Docx:
    """A document as python-docx has it; what it has no word for is read from its XML."""

    name = "python-docx"

    def __init__(self, path):
        self.document = docx.Document(path)
        self.body = self.document.element.body

    def paragraphs(self):
        return [self.text(p) for p in self.body.iter(qn("w:p"))]

    def text(self, paragraph):
        parts = []
        for node in paragraph.iter(qn("w:t"), qn("w:tab"), qn("w:br")):
            if node.getparent().tag == qn("w:tabs"):
                continue
            parts.append({qn("w:t"): node.text or "", qn("w:tab"): "\t", qn("w:br"): "\n"}[node.tag])
        return "".join(parts)

    def paragraph(self, text):
        found = next((p for p in self.body.iter(qn("w:p")) if text in self.text(p)), None)
        assert found is not None, f"no paragraph with {text!r}"
        return docx.text.paragraph.Paragraph(found, self.document._body)

    def style(self, text):
        return self.paragraph(text).style.name

    def looks(self, text):
        """One look for each run that shows a part of the text."""
        paragraph = self.paragraph(text)
        at, looks = 0, []
        start = self.text(paragraph._p).index(text)
        # Runs of tracked insertions too, which python-docx leaves out.
        for node in paragraph._p.iter(qn("w:r")):
            begin, at = at, at + len(self.text(node))
            if begin < start + len(text) and at > start and at > begin:
                looks.append(self.look(docx.text.run.Run(node, paragraph)))
        assert looks, f"no run shows {text!r}"
        return looks

    def look(self, run):
        font = run.font
        shading = run._r.find(f"{qn('w:rPr')}/{qn('w:shd')}")
        highlight = run._r.find(f"{qn('w:rPr')}/{qn('w:highlight')}")
        background = None
        if shading is not None:
            background = shading.get(qn("w:fill"))
        if highlight is not None:
            background = {"yellow": "FFFF00", "green": "00FF00", "none": None}.get(highlight.get(qn("w:val")), "?")
        underline = run._r.find(f"{qn('w:rPr')}/{qn('w:u')}")
        return {
            "bold": bool(font.bold),
            "italic": bool(font.italic),
            "underline": underline.get(qn("w:val")) if underline is not None else "none",
            "size": font.size.pt if font.size else None,
            "font": font.name,
            "color": str(font.color.rgb) if font.color.rgb else None,
            "background": background,
            "style": run.style.name if run.style is not None else None,
        }

    def layout(self, text):
        paragraph = self.paragraph(text)
        form = paragraph.paragraph_format
        names = {0: "left", 1: "center", 2: "right", 3: "justify", None: None}
        points = lambda length: round(length.pt, 1) if length is not None else None
        return {
            "alignment": names[form.alignment],
            "before": points(form.space_before),
            "after": points(form.space_after),
            "line": round(form.line_spacing, 2) if isinstance(form.line_spacing, float) else None,
        }

    def list(self, text):
        """The kind of list and the level, from 0; nothing if the paragraph is in none."""
        number = self.paragraph(text)._p.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        if number is None or number.find(qn("w:numId")).get(qn("w:val")) == "0":
            return None
        numbering = self.document.part.numbering_part.element
        level = number.find(qn("w:ilvl")).get(qn("w:val"))
        wanted = number.find(qn("w:numId")).get(qn("w:val"))
        num = next(n for n in numbering.findall(qn("w:num")) if n.get(qn("w:numId")) == wanted)
        abstract = num.find(qn("w:abstractNumId")).get(qn("w:val"))
        definition = next(a for a in numbering.findall(qn("w:abstractNum")) if a.get(qn("w:abstractNumId")) == abstract)
        form = next(l for l in definition.findall(qn("w:lvl")) if l.get(qn("w:ilvl")) == level)
        kind = "bullet" if form.find(qn("w:numFmt")).get(qn("w:val")) == "bullet" else "number"
        return kind, int(level)

    def tables(self):
        """Each as rows of (text, columns, rows); cells that another one covers are left out."""
        return [self.grid(table) for table in self.body.iter(qn("w:tbl"))]

    def grid(self, table):
        rows, open_cells = [], {}
        for tr in table.findall(qn("w:tr")):
            row, col = [], 0
            for tc in tr.findall(qn("w:tc")):
                props = tc.find(qn("w:tcPr"))
                span = props.find(qn("w:gridSpan")) if props is not None else None
                width = int(span.get(qn("w:val"))) if span is not None else 1
                merge = props.find(qn("w:vMerge")) if props is not None else None
                text = "\n".join(self.text(p) for p in tc.findall(qn("w:p")))
                if merge is not None and merge.get(qn("w:val"), "continue") == "continue" and col in open_cells:
                    open_cells[col][2] += 1
                else:
                    cell = [text, width, 1]
                    row.append(cell)
                    open_cells.pop(col, None)
                    if merge is not None:
                        open_cells[col] = cell
                col += width
            rows.append(row)
        return [[tuple(cell) for cell in row] for row in rows]

    def columns(self, index):
        return len(self.document.tables[index].columns)

    def header_rows(self, index):
        rows = self.document.tables[index]._tbl.findall(qn("w:tr"))
        return sum(r.find(f"{qn('w:trPr')}/{qn('w:tblHeader')}") is not None for r in rows)

    def pictures(self):
        found = []
        wp = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
        for drawing in self.body.iter(qn("w:drawing")):
            box = drawing[0]
            extent = box.find(f"{wp}extent")
            blip = next(box.iter(qn("a:blip")))
            part = self.document.part.related_parts[blip.get(qn("r:embed"))]
            wraps = [child.tag for child in box if child.tag.startswith(f"{wp}wrap")]
            wrap = "inline" if box.tag == f"{wp}inline" else wraps[0][len(wp) + 4 :].lower()
            if wrap == "none":
                wrap = "behind" if box.get("behindDoc") == "1" else "infront"
            found.append({
                "width": int(extent.get("cx")),
                "height": int(extent.get("cy")),
                "alt": box.find(f"{wp}docPr").get("descr"),
                "wrap": wrap,
                "kind": part.content_type.split("/")[1],
            })
        return found


O = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
}


def o(name):
    prefix, local = name.split(":")
    return f"{{{O[prefix]}}}{local}"


def length(text):
    number, unit = re.fullmatch(r"(-?[\d.]+)(in|cm|mm|pt)", text).groups()
    return float(number) * EMU[unit]


class LibreOffice:
    """A document as LibreOffice has it: the flat OpenDocument file that it makes of it."""

    name = "LibreOffice"

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.body = root.find(f"{o('office:body')}/{o('office:text')}")
        self.parents = {child: parent for parent in self.body.iter() for child in parent}
        self.styles = {}
        self.lists = {}
        for style in root.iter(o("style:style"), ):
            self.styles[style.get(o("style:family")), style.get(o("style:name"))] = style
        for style in root.iter(o("text:list-style")):
            self.lists[style.get(o("style:name"))] = style

    def property(self, family, name, group, key):
        """Through the styles that it is based on."""
        for _ in range(20):
            style = self.styles.get((family, name))
            if style is None:
                return None
            props = style.find(o(f"style:{group}-properties"))
            if props is not None and props.get(o(key)) is not None:
                return props.get(o(key))
            name = style.get(o("style:parent-style-name"))
        return None

    def all_paragraphs(self):
        hidden = set()
        for name in ("text:tracked-changes", "text:note", "office:annotation"):
            for node in self.body.iter(o(name)):
                hidden.update(node.iter())
        return [n for n in self.body.iter() if n.tag in (o("text:p"), o("text:h")) and n not in hidden]

    def text(self, node):
        if node.tag in (o("text:note"), o("office:annotation"), o("svg:title"), o("svg:desc"), o("text:list-header")):
            return ""
        if node.tag == o("text:s"):
            return " " * int(node.get(o("text:c"), 1))
        text = {o("text:tab"): "\t", o("text:line-break"): "\n"}.get(node.tag, node.text or "")
        return text + "".join(self.text(child) + (child.tail or "") for child in node)

    def paragraphs(self):
        return [self.text(p) for p in self.all_paragraphs()]

    def paragraph(self, text):
        found = next((p for p in self.all_paragraphs() if text in self.text(p)), None)
        assert found is not None, f"no paragraph with {text!r}"
        return found

    def style(self, text):
        """The name of the style; automatic ones stand for the formatting of one paragraph only."""
        name = self.paragraph(text).get(o("text:style-name"))
        style = self.styles.get(("paragraph", name))
        shown = style.get(o("style:display-name"))
        if shown is None and re.fullmatch(r"P\d+", name):
            name = style.get(o("style:parent-style-name"))
            style = self.styles.get(("paragraph", name))
            shown = style.get(o("style:display-name")) if style is not None else None
        return shown or name.replace("_20_", " ")

    def looks(self, text):
        paragraph = self.paragraph(text)
        pieces = []

        def walk(node, span):
            if node.tag in (o("text:note"), o("office:annotation"), o("svg:title"), o("svg:desc")):
                return
            own = [node.get(o("text:style-name")), *span] if node.tag == o("text:span") else span
            if node.tag in (o("text:s"), o("text:tab"), o("text:line-break")):
                pieces.append((self.text(node), own))
            else:
                pieces.append((node.text or "", own))
                for child in node:
                    walk(child, own)
                    pieces.append((child.tail or "", own))

        walk(paragraph, [])
        start, at, looks = self.text(paragraph).index(text), 0, []
        for piece, span in pieces:
            begin, at = at, at + len(piece)
            if piece and begin < start + len(text) and at > start:
                looks.append(self.look(paragraph, span))
        return looks

    def look(self, paragraph, spans):
        """`spans`: the styles around the text, the innermost first."""

        def get(key):
            own = (self.property("text", span, "text", key) for span in spans)
            found = next((value for value in own if value is not None), None)
            return found if found is not None else self.property("paragraph", paragraph.get(o("text:style-name")), "text", key)

        named = None
        for span in spans:
            style = self.styles.get(("text", span))
            parent = style.get(o("style:parent-style-name")) if style is not None else None
            named = named or (parent if re.fullmatch(r"T\d+", span) else span)
        underline = get("style:text-underline-style") or "none"
        if underline == "solid":
            underline = "double" if get("style:text-underline-type") == "double" else "single"
        hexed = lambda value: value[1:].upper() if value and value.startswith("#") else None
        size = get("fo:font-size")
        return {
            "bold": get("fo:font-weight") == "bold",
            "italic": get("fo:font-style") == "italic",
            "underline": underline,
            "size": float(size[:-2]) if size and size.endswith("pt") else None,
            "font": get("style:font-name"),
            "color": hexed(get("fo:color")),
            "background": hexed(get("fo:background-color")),
            "style": named.replace("_20_", " ") if named else None,
        }

    def layout(self, text):
        name = self.paragraph(text).get(o("text:style-name"))
        get = lambda key: self.property("paragraph", name, "paragraph", key)
        points = lambda value: round(length(value) / 12700, 1) if value else None
        line = get("fo:line-height")
        names = {"start": "left", "left": "left", "end": "right", "right": "right", "center": "center", "justify": "justify"}
        return {
            "alignment": names.get(get("fo:text-align")),
            "before": points(get("fo:margin-top")),
            "after": points(get("fo:margin-bottom")),
            "line": round(float(line[:-1]) / 100, 2) if line and line.endswith("%") else None,
        }

    def list(self, text):
        node, level, style = self.paragraph(text), -1, None
        while node in self.parents:
            node = self.parents[node]
            if node.tag == o("text:list"):
                level += 1
                style = node.get(o("text:style-name")) or style
            if node.tag in (o("table:table-cell"),):
                break
        if level < 0:
            return None
        for form in self.lists.get(style, []):
            if form.get(o("text:level")) == str(level + 1):
                if form.tag == o("text:list-level-style-bullet"):
                    return "bullet", level
                # A level without a number format is no list that anybody sees.
                return ("number", level) if form.get(o("style:num-format")) else None
        return None

    def tables(self):
        return [self.grid(table) for table in self.body.iter(o("table:table"))]

    def rows(self, table):
        rows = []
        for child in table:
            if child.tag == o("table:table-row"):
                rows.append(child)
            elif child.tag in (o("table:table-header-rows"), o("table:table-rows")):
                rows.extend(child.findall(o("table:table-row")))
        return rows

    def grid(self, table):
        rows = []
        for row in self.rows(table):
            cells = []
            for cell in row.findall(o("table:table-cell")):
                text = "\n".join(self.text(p) for p in cell.iter() if p.tag in (o("text:p"), o("text:h")))
                cells.append((text, int(cell.get(o("table:number-columns-spanned"), 1)), int(cell.get(o("table:number-rows-spanned"), 1))))
            rows.append(cells)
        return rows

    def columns(self, index):
        table = list(self.body.iter(o("table:table")))[index]
        return sum(int(c.get(o("table:number-columns-repeated"), 1)) for c in table.iter(o("table:table-column")))

    def header_rows(self, index):
        table = list(self.body.iter(o("table:table")))[index]
        return len(table.findall(f"{o('table:table-header-rows')}/{o('table:table-row')}"))

    def fills(self, index):
        """The background of each cell, and whether its text is bold, as shown."""
        table = list(self.body.iter(o("table:table")))[index]
        shown = []
        for row in self.rows(table):
            cells = []
            for cell in row.findall(o("table:table-cell")):
                colour = self.property("table-cell", cell.get(o("table:style-name")), "table-cell", "fo:background-color")
                cells.append(None if colour in (None, "transparent") else colour[1:].upper())
            shown.append(cells)
        return shown

    def pictures(self):
        found = []
        for frame in self.body.iter(o("draw:frame")):
            image = frame.find(o("draw:image"))
            if image is None:
                continue
            style = frame.get(o("draw:style-name"))
            anchor = frame.get(o("text:anchor-type"))
            wrap = "inline" if anchor == "as-char" else self.property("graphic", style, "graphic", "style:wrap")
            if wrap == "run-through":
                through = self.property("graphic", style, "graphic", "style:run-through")
                wrap = "behind" if through == "background" else "infront"
            elif wrap == "parallel":
                contour = self.property("graphic", style, "graphic", "style:wrap-contour")
                wrap = "tight" if contour == "true" else "square"
            described = frame.find(o("svg:desc"))
            kind = image.get("{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}mime-type", "")
            kind = kind or image.get(o("draw:mime-type"), "")
            found.append({
                "width": length(frame.get(o("svg:width"))),
                "height": length(frame.get(o("svg:height"))),
                "alt": described.text if described is not None else None,
                "wrap": wrap,
                "kind": kind.split("/")[-1],
            })
        return found
