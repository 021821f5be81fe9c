"""Documents with places to write in, and a model of what the answers promised is in them.

A document has numbered slots, each in a paragraph, line or cell of its own, so that edits do not get in each other's way
and the whole content follows from which slot holds which marker. Every edit brings a marker that was never used before.
"""
import copy
import json
import re
import zipfile

SLOTS = 100
UNKNOWN = "UNKNOWN_OUTCOME"


class Wrong(Exception):
    """Something is not as the answers said."""


class Entry:
    """A change that can be undone: who made it, what the slots held before and hold after it, what it accepted."""

    def __init__(self, owner, before, after, accepted=None, by=None):
        self.owner, self.before, self.after, self.accepted, self.by = owner, before, after, accepted, by
        self.undone_by, self.before_save, self.perhaps_lost = None, False, False


class Book:
    """One document as it has to be."""

    def __init__(self, place, name):
        self.path = place.root / name
        self.kind = self.path.suffix[1:]
        self.slots = {n: None for n in range(1, SLOTS + 1)}
        self.history, self.redo, self.suggestions, self.saved = [], [], {}, dict(self.slots)
        # Entries from before the last save: a desk that began after it need not know them.
        self.perhaps_lost, self.at_save = 0, 0
        self.ids, self.was_restarted = {}, False
        make(self.path)

    def __repr__(self):
        return self.path.name

    def is_dirty(self):
        return self.slots != self.saved

    def free(self):
        """Slots that nothing waits for or could come back to."""
        taken = {suggestion["slot"] for suggestion in self.suggestions.values() if suggestion["status"] in ("pending", "stale")}
        for entry in self.redo:
            taken |= {n for n in self.slots if entry.before[n] != entry.after[n]}
        return [n for n in self.slots if n not in taken]

    def change(self, slots, owner, accepted=None, by=None):
        self.history.append(Entry(owner, self.slots, slots, accepted, by))
        self.slots, self.redo = slots, []
        if accepted:
            self.suggestions[accepted].update(status="accepted", by=by)

    def undo(self, owner):
        entry = self.history.pop()
        self.perhaps_lost = min(self.perhaps_lost, len(self.history))
        self.at_save = min(self.at_save, len(self.history))
        self.slots, entry.undone_by = entry.before, owner
        self.redo.append(entry)
        if entry.accepted:
            self.suggestions[entry.accepted].update(status="pending", by=None)

    def redone(self):
        entry = self.redo.pop()
        self.history.append(entry)
        self.slots = entry.after
        if entry.accepted:
            self.suggestions[entry.accepted].update(status="accepted", by=entry.by)

    def save(self):
        self.saved, self.at_save = dict(self.slots), len(self.history)
        for entry in self.redo:
            entry.before_save = True

    def restarted(self):
        self.perhaps_lost, self.was_restarted = self.at_save, True
        for entry in self.redo:
            entry.perhaps_lost = entry.before_save

    def with_(self, slot, marker):
        slots = dict(self.slots)
        slots[slot] = marker
        return slots

    def pending(self):
        return {id: each for id, each in self.suggestions.items() if each["status"] == "pending"}


def shown(slot, marker):
    return f"slot-{slot:03}." + (f" {marker}" if marker else "")


def make(path):
    """A document with all its slots empty."""
    lines = [shown(n, None) for n in range(1, SLOTS + 1)]
    if path.suffix == ".md":
        path.write_text("".join(line + "\n\n" for line in lines))
    elif path.suffix == ".docx":
        named = "named" in path.name
        id = lambda n: f' w14:paraId="{0x10000000 + n:08X}"' if named else ""
        paragraphs = "".join(f"<w:p{id(n)}><w:r><w:t>{line}</w:t></w:r></w:p>" for n, line in enumerate(lines))
        word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        named = ' xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"' if named else ""
        package(path, "word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml", {
            "word/document.xml": f'<w:document xmlns:w="{word}"{named}><w:body>{paragraphs}<w:sectPr/></w:body></w:document>',
        })
    else:
        main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        rows = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, SLOTS + 1))
        sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
        package(path, "xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml", {
            "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>'
                               f'<sheet name="Slots" sheetId="1" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                                          f'<Relationship Id="rId1" Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/>'
                                          "</Relationships>",
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
        }, {"/xl/worksheets/sheet1.xml": sheet})


def package(path, main, kind, parts, kinds={}):
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    overrides = "".join(f'<Override PartName="{name}" ContentType="{each}"/>' for name, each in {f"/{main}": kind, **kinds}.items())
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    root = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{office}" Target="{main}"/></Relationships>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {"[Content_Types].xml": types, "_rels/.rels": root, **parts}.items():
            archive.writestr(name, head + text)


def in_file(path):
    """What the slots of a saved file hold; a marker that is there twice, or beside its slot, is wrong."""
    if path.suffix == ".md":
        return in_lines(path.read_text().split("\n\n"), path)
    with zipfile.ZipFile(path) as archive:
        if path.suffix == ".docx":
            paragraphs = re.findall(r"<w:p[ >].*?</w:p>", archive.read("word/document.xml").decode(), re.S)
            lines = ["".join(re.findall(r"<w:t(?: [^>]*)?>([^<]*)</w:t>", each)) for each in paragraphs]
            return in_lines(lines, path)
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
        strings = []
        if "xl/sharedStrings.xml" in archive.namelist():
            items = re.findall(r"<si>(.*?)</si>", archive.read("xl/sharedStrings.xml").decode(), re.S)
            strings = ["".join(re.findall(r"<t[^>]*>([^<]*)</t>", item)) for item in items]
        found = {n: None for n in range(1, SLOTS + 1)}
        for row, attributes, inner in re.findall(r'<c r="Z(\d+)"([^>/]*)>(.*?)</c>', sheet, re.S):
            value = re.search(r"<(?:v|t)[^>]*>([^<]*)<", inner)
            if value:
                text = value.group(1)
                found[int(row)] = strings[int(text)] if 't="s"' in attributes else text
        return found


def in_lines(lines, path):
    found = {}
    for line in filter(None, (line.strip("\n") for line in lines)):
        match = re.fullmatch(r"slot-(\d{3})\.(?: (\S+))?", line)
        if not match or int(match.group(1)) in found:
            raise Wrong(f"{path.name} has the line {line!r}")
        found[int(match.group(1))] = match.group(2)
    return found


def in_document(client, book, again):
    """What the slots of the open document hold. `again` calls a tool and repeats what reads if its desk ended."""
    if book.kind == "md":
        return in_lines(again(client, "document_get_content", windowId=str(book.path)).split("\n\n"), book.path)
    if book.kind == "docx":
        page = again(client, "read_file", file_path=str(book.path), format="simple", limit=SLOTS + 20)
        lines = re.findall(r"^\[(\S+)\] ?(.*)$", page, re.M)
        slots = in_lines([text for _, text in lines], book.path)
        ids = {int(re.match(r"slot-(\d{3})", text).group(1)): id for id, text in lines if text}
        # Without w14:paraId a paragraph is named by what it said when the file was opened.
        kept = book.ids if "named" in book.path.name or not book.was_restarted else {}
        slot_of = {id: slot for slot, id in book.ids.items()}
        for slot, id in ids.items():
            if kept.get(slot, id) != id or slot_of.get(id, slot) != slot:
                raise Wrong(f"{book}: {id} was slot {slot_of.get(id)} and is slot {slot}, which was {book.ids[slot]}")
        book.ids, book.was_restarted = ids, False
        return slots
    said = again(client, "ask", file_path=str(book.path), request=f"What is Slots!Z1:Z{SLOTS}")
    found = {n: None for n in range(1, SLOTS + 1)}
    for cell in said["operations"][0].get("cells", []):
        if cell.get("value") not in (None, ""):
            found[int(cell["address"][1:])] = cell["value"]
    return found


def differences(found, wanted):
    return ", ".join(f"slot {n} has {found.get(n)} instead of {wanted.get(n)}" for n in wanted if found.get(n) != wanted.get(n))


def clone(book):
    return copy.deepcopy(book)


def brief(said):
    return json.dumps(said)[:300]
