"""Revised documents made without the binary: what people do to a document, done to its XML.

Each edit is a function that changes a `Package` and says whether it did. Nothing but Python 3.11 is needed; prefixes and
everything that an edit does not touch stay as they are written.
"""
import re
import zipfile
from xml.dom import minidom

EDITS = []
# Of a part, in bytes: minidom needs a second for each megabyte, and a hundred times as much memory.
LARGEST = 400_000


def edit(function):
    EDITS.append(function)
    return function


class Package:
    """A document with parts that are parsed when an edit asks for them."""

    def __init__(self, path, dice):
        self.dice, self.parsed = dice, {}
        with zipfile.ZipFile(path) as package:
            if max(info.file_size for info in package.infolist()) > LARGEST:
                raise ValueError("too large for minidom")
            self.parts = [(info.filename, package.read(info.filename)) for info in package.infolist()]

    def part(self, name):
        if name not in self.parsed:
            self.parsed[name] = minidom.parseString(dict(self.parts)[name])
        return self.parsed[name].documentElement

    def names(self, pattern):
        return [name for name, _ in self.parts if re.fullmatch(pattern, name)]

    @property
    def body(self):
        return named(self.part("word/document.xml"), "w:body")[0]

    def save(self, path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
            for name, data in self.parts:
                tree = self.parsed.get(name)
                package.writestr(name, tree.toxml("UTF-8") if tree else data)

    def paragraphs(self, root=None):
        """Paragraphs of the body itself with words of their own, fields and pictures left out."""
        return [p for p in children(root or self.body, "w:p") if is_plain(p)]

    def one(self, found):
        return self.dice.choice(found) if found else None


def children(node, *tags):
    return [child for child in node.childNodes if child.nodeType == child.ELEMENT_NODE and (not tags or child.tagName in tags)]


def named(node, tag):
    return list(node.getElementsByTagName(tag))


def text(node):
    return "".join("".join(child.data for child in t.childNodes) for t in named(node, "w:t"))


BOUND = ["w:fldChar", "w:fldSimple", "w:drawing", "w:pict", "w:object", "w:sectPr", "w:footnoteReference", "w:endnoteReference",
         "w:ins", "w:del", "w:moveFrom", "w:moveTo", "w:commentReference", "w:sdt", "mc:AlternateContent", "w:ruby"]


def is_plain(paragraph):
    return bool(text(paragraph).strip()) and not any(named(paragraph, tag) for tag in BOUND)


def write(t, words):
    while t.firstChild:
        t.removeChild(t.firstChild)
    t.appendChild(t.ownerDocument.createTextNode(words))
    t.setAttribute("xml:space", "preserve")


def new_words(node, words):
    """Gives the first text with letters other words."""
    for t in named(node, "w:t"):
        if "".join(child.data for child in t.childNodes).strip():
            write(t, words)
            return True
    return False


def copied(paragraph, words):
    """A paragraph that looks like another and says something else."""
    copy = paragraph.cloneNode(True)
    for name in list(copy.attributes.keys()):
        copy.removeAttribute(name)
    for tag in ["w:bookmarkStart", "w:bookmarkEnd", "w:commentRangeStart", "w:commentRangeEnd", "w:proofErr"]:
        for mark in named(copy, tag):
            mark.parentNode.removeChild(mark)
    texts = named(copy, "w:t")
    for t in texts:
        write(t, "")
    write(texts[0], words)
    return copy


def tables(package):
    """Tables in which every row has the same simple cells."""
    found = []
    for table in children(package.body, "w:tbl"):
        rows = children(table, "w:tr")
        merged = named(table, "w:vMerge") + named(table, "w:gridSpan") + named(table, "w:tbl") + named(table, "w:ins") + named(table, "w:del")
        if len(rows) > 1 and not merged and len({len(children(row, "w:tc")) for row in rows}) == 1:
            found.append(table)
    return found


@edit
def delete_the_last_paragraphs(package):
    found = package.paragraphs()
    last = [child for child in children(package.body) if child.tagName != "w:sectPr"][-3:]
    gone = [p for p in last if p in found]
    for p in gone:
        package.body.removeChild(p)
    return bool(gone) and bool(children(package.body, "w:p"))


@edit
def delete_the_first_paragraph(package):
    found = package.paragraphs()
    if len(found) < 2:
        return False
    package.body.removeChild(found[0])
    return True


@edit
def delete_some_paragraphs(package):
    found = package.paragraphs()
    if len(found) < 5:
        return False
    start = package.dice.randrange(len(found) - 3)
    for p in found[start:start + 3]:
        package.body.removeChild(p)
    return True


@edit
def insert_paragraphs(package):
    near = package.one(package.paragraphs())
    if not near:
        return False
    for words in ["The parties meet once a month.", "Minutes are taken and kept."]:
        package.body.insertBefore(copied(near, words), near)
    return True


@edit
def insert_behind_the_last(package):
    near = package.one(package.paragraphs())
    if not near:
        return False
    end = next((child for child in children(package.body, "w:sectPr")), None)
    for words in ["Signed in two copies.", "Each party keeps one."]:
        package.body.insertBefore(copied(near, words), end)
    return True


@edit
def move_a_paragraph(package):
    found = package.paragraphs()
    if len(found) < 4:
        return False
    one, other = package.dice.sample(found, 2)
    package.body.insertBefore(package.body.removeChild(one), other)
    return True


@edit
def swap_two_neighbours(package):
    all_of_it = package.paragraphs()
    found = [p for p in all_of_it if p.nextSibling in all_of_it]
    one = package.one(found)
    if not one:
        return False
    package.body.insertBefore(one.parentNode.removeChild(one.nextSibling), one)
    return True


@edit
def split_a_paragraph(package):
    p = package.one([p for p in package.paragraphs() if len(children(p, "w:r")) > 1])
    if not p:
        return False
    copy = p.cloneNode(True)
    for name in list(copy.attributes.keys()):
        copy.removeAttribute(name)
    for tag in ["w:bookmarkStart", "w:bookmarkEnd", "w:commentRangeStart", "w:commentRangeEnd"]:
        for mark in named(copy, tag):
            mark.parentNode.removeChild(mark)
    runs, again = children(p, "w:r"), children(copy, "w:r")
    middle = len(runs) // 2
    for run in runs[middle:]:
        p.removeChild(run)
    for run in again[:middle]:
        copy.removeChild(run)
    p.parentNode.insertBefore(copy, p.nextSibling)
    return bool(text(p).strip()) and bool(text(copy).strip())


@edit
def join_two_paragraphs(package):
    found = package.paragraphs()
    p = package.one([p for p in found if p.nextSibling in found])
    if not p:
        return False
    behind = p.nextSibling
    for run in children(behind, "w:r"):
        p.appendChild(run)
    behind.parentNode.removeChild(behind)
    return True


@edit
def change_words(package):
    found = package.paragraphs()
    for p in package.dice.sample(found, min(3, len(found))):
        t = package.one([t for t in named(p, "w:t") if t.firstChild and t.firstChild.data.strip()])
        words = t.firstChild.data.split(" ")
        words[package.dice.randrange(len(words))] = "forthwith"
        write(t, " ".join(words))
    return bool(found)


@edit
def change_a_cell(package):
    cells = [cell for cell in named(package.body, "w:tc") if any(is_plain(p) for p in children(cell, "w:p"))]
    cell = package.one(cells)
    return bool(cell) and new_words(next(p for p in children(cell, "w:p") if is_plain(p)), "changed here")


@edit
def add_a_row(package):
    table = package.one(tables(package))
    if not table:
        return False
    row = children(table, "w:tr")[-1]
    copy = row.cloneNode(True)
    for number, cell in enumerate(children(copy, "w:tc")):
        for t in named(cell, "w:t"):
            write(t, "")
        new_words_in_cell(cell, f"new {number}")
    table.insertBefore(copy, row.nextSibling)
    return True


def new_words_in_cell(cell, words):
    document = cell.ownerDocument
    p = children(cell, "w:p")[0]
    run, t = document.createElement("w:r"), document.createElement("w:t")
    write(t, words)
    run.appendChild(t)
    p.appendChild(run)


@edit
def delete_a_row(package):
    table = package.one(tables(package))
    row = package.one(children(table, "w:tr")) if table else None
    if not row:
        return False
    table.removeChild(row)
    return True


@edit
def add_a_column(package):
    table = package.one(tables(package))
    if not table:
        return False
    at = package.dice.randrange(len(children(children(table, "w:tr")[0], "w:tc")))
    for number, row in enumerate(children(table, "w:tr")):
        cell = children(row, "w:tc")[at]
        copy = cell.cloneNode(True)
        for p in children(copy, "w:p")[1:]:
            copy.removeChild(p)
        for t in named(copy, "w:t"):
            write(t, "")
        new_words_in_cell(copy, f"column {number}")
        row.insertBefore(copy, cell.nextSibling)
    grid = children(table, "w:tblGrid")
    columns = children(grid[0], "w:gridCol") if grid else []
    if columns:
        grid[0].insertBefore(columns[0].cloneNode(True), columns[0])
    return True


@edit
def delete_a_column(package):
    table = package.one([t for t in tables(package) if len(children(children(t, "w:tr")[0], "w:tc")) > 1])
    if not table:
        return False
    at = package.dice.randrange(len(children(children(table, "w:tr")[0], "w:tc")))
    for row in children(table, "w:tr"):
        row.removeChild(children(row, "w:tc")[at])
    grid = children(table, "w:tblGrid")
    columns = children(grid[0], "w:gridCol") if grid else []
    if len(columns) > at:
        grid[0].removeChild(columns[at])
    return True


@edit
def delete_a_table(package):
    found = [t for t in children(package.body, "w:tbl") if t.nextSibling is not None]
    table = package.one(found)
    if not table:
        return False
    package.body.removeChild(table)
    return True


@edit
def copy_a_table(package):
    table, near = package.one(tables(package)), package.one(package.paragraphs())
    if not table or not near or any(named(table, tag) for tag in BOUND):
        return False
    copy = table.cloneNode(True)
    for p in named(copy, "w:p"):
        for name in list(p.attributes.keys()):
            p.removeAttribute(name)
    package.body.insertBefore(copy, near)
    return True


def results(package):
    """Texts that stand between the separator and the end of a field in one paragraph."""
    found = []
    for p in named(package.body, "w:p"):
        depth, inside = 0, False
        for run in children(p, "w:r"):
            for child in children(run):
                if child.tagName == "w:fldChar":
                    kind = child.getAttribute("w:fldCharType")
                    depth += {"begin": 1, "end": -1}.get(kind, 0)
                    inside = kind == "separate" and depth == 1
                elif child.tagName == "w:t" and inside and depth == 1 and child.firstChild:
                    found.append(child)
        for simple in children(p, "w:fldSimple"):
            found += [t for t in named(simple, "w:t") if t.firstChild]
    return found


@edit
def change_the_result_of_a_field(package):
    t = package.one(results(package))
    if not t:
        return False
    write(t, t.firstChild.data + "9")
    return True


@edit
def change_words_beside_a_field(package):
    found, inside = [], results(package)
    for p in children(package.body, "w:p"):
        if named(p, "w:fldChar") or named(p, "w:fldSimple"):
            found += [t for r in children(p, "w:r") for t in children(r, "w:t") if t.firstChild and t not in inside]
    t = package.one([t for t in found if t.firstChild.data.strip()])
    if not t:
        return False
    write(t, t.firstChild.data + " as amended ")
    return True


@edit
def delete_a_paragraph_with_a_field(package):
    def whole(p):
        kinds = [c.getAttribute("w:fldCharType") for c in named(p, "w:fldChar")]
        return (kinds or named(p, "w:fldSimple")) and kinds.count("begin") == kinds.count("end")
    p = package.one([p for p in children(package.body, "w:p") if whole(p) and not named(p, "w:sectPr") and text(p).strip()])
    if not p:
        return False
    package.body.removeChild(p)
    return True


@edit
def copy_a_paragraph_with_a_field(package):
    def whole(p):
        kinds = [c.getAttribute("w:fldCharType") for c in named(p, "w:fldChar")]
        return (kinds or named(p, "w:fldSimple")) and kinds.count("begin") == kinds.count("end")
    found = [p for p in children(package.body, "w:p") if whole(p) and text(p).strip()]
    found = [p for p in found if not any(named(p, tag) for tag in BOUND if tag not in ("w:fldChar", "w:fldSimple"))]
    p, near = package.one(found), package.one(package.paragraphs())
    if not p or not near:
        return False
    copy = p.cloneNode(True)
    for tag in ["w:bookmarkStart", "w:bookmarkEnd"]:
        for mark in named(copy, tag):
            mark.parentNode.removeChild(mark)
    package.body.insertBefore(copy, near)
    return True


@edit
def change_a_header_or_footer(package):
    found = [p for name in package.names(r"word/(header|footer)\d*\.xml") for p in package.paragraphs(package.part(name))]
    p = package.one(found)
    return bool(p) and new_words(p, "Draft of today")


@edit
def change_a_note(package):
    found = [p for name in package.names(r"word/(foot|end)notes\.xml") for p in named(package.part(name), "w:p")]
    p = package.one([p for p in found if text(p).strip()])
    return bool(p) and new_words(p, " See elsewhere.")


@edit
def delete_a_note(package):
    reference = package.one(named(package.body, "w:footnoteReference"))
    if not reference:
        return False
    run = reference.parentNode
    run.parentNode.removeChild(run)
    return True


@edit
def change_a_link(package):
    found = [t for link in named(package.body, "w:hyperlink") for t in named(link, "w:t") if t.firstChild]
    t = package.one(found)
    if not t:
        return False
    write(t, "look here")
    return True


@edit
def change_a_control(package):
    found = [t for control in named(package.body, "w:sdtContent") for t in named(control, "w:t") if t.firstChild]
    t = package.one(found)
    if not t:
        return False
    write(t, "filled in")
    return True


@edit
def change_a_list_level(package):
    levels = [ilvl for ilvl in named(package.body, "w:ilvl")]
    ilvl = package.one(levels)
    if not ilvl:
        return False
    ilvl.setAttribute("w:val", "1" if ilvl.getAttribute("w:val") == "0" else "0")
    return True


@edit
def make_words_bold(package):
    p = package.one(package.paragraphs())
    run = package.one([r for r in children(p, "w:r") if named(r, "w:t")]) if p else None
    if not run:
        return False
    properties = children(run, "w:rPr")
    if not properties:
        run.insertBefore(run.ownerDocument.createElement("w:rPr"), run.firstChild)
        properties = children(run, "w:rPr")
    bold = children(properties[0], "w:b")
    if bold:
        properties[0].removeChild(bold[0])
        return True
    before = [c for c in children(properties[0]) if c.tagName not in ("w:rStyle", "w:rFonts")]
    properties[0].insertBefore(run.ownerDocument.createElement("w:b"), before[0] if before else None)
    return True


@edit
def empty_the_document(package):
    for child in children(package.body):
        if child.tagName != "w:sectPr":
            package.body.removeChild(child)
    p = package.body.ownerDocument.createElement("w:p")
    package.body.insertBefore(p, package.body.firstChild)
    return True


@edit
def rewrite_everything(package):
    found = package.paragraphs()
    for number, p in enumerate(found):
        for t in named(p, "w:t"):
            write(t, "")
        write(named(p, "w:t")[0], f"Wholly other matter number {number}.")
    return bool(found)


def revised(path, kind, dice, out):
    """The document with one kind of edit; false if it has nothing that this edit is made to."""
    try:
        package = Package(path, dice)
        if not kind(package):
            return False
    except (zipfile.BadZipFile, KeyError, IndexError, ValueError):
        return False
    package.save(out)
    return True
