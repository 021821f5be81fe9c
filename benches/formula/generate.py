#!/usr/bin/env python3
"""Five workbooks of 100,000 formulas each, written part by part.

    generate.py FOLDER [COUNT]

chain   each cell adds one to the cell above
sums    each cell sums a window of 100 numbers
lookups exact VLOOKUP and INDEX/MATCH in a table of 10,000 rows
sumifs  two criteria over 2,000 rows
arrays  SEQUENCE, SORT, FILTER and a plain product that spill over 100 cells each
"""
import pathlib
import random
import sys
import zipfile

FRAME = {
    "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/><Override PartName="/xl/theme/theme1.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/><Override PartName="/xl/metadata.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml"/></Types>',
    "_rels/.rels": '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId4" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme" Target="theme/theme1.xml"/><Relationship Id="rId5" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sheetMetadata" Target="metadata.xml"/></Relationships>',
    "xl/workbook.xml": '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/styles.xml": '<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
    "xl/sharedStrings.xml": '<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="0" uniqueCount="0"></sst>',
    "xl/theme/theme1.xml": '<?xml version="1.0"?><a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office"><a:themeElements><a:clrScheme name="Office"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1><a:dk2><a:srgbClr val="44546A"/></a:dk2><a:lt2><a:srgbClr val="E7E6E6"/></a:lt2><a:accent1><a:srgbClr val="4472C4"/></a:accent1><a:accent2><a:srgbClr val="ED7D31"/></a:accent2><a:accent3><a:srgbClr val="A5A5A5"/></a:accent3><a:accent4><a:srgbClr val="FFC000"/></a:accent4><a:accent5><a:srgbClr val="5B9BD5"/></a:accent5><a:accent6><a:srgbClr val="70AD47"/></a:accent6><a:hlink><a:srgbClr val="0563C1"/></a:hlink><a:folHlink><a:srgbClr val="954F72"/></a:folHlink></a:clrScheme><a:fontScheme name="Office"><a:majorFont><a:latin typeface="Calibri"/></a:majorFont><a:minorFont><a:latin typeface="Calibri"/></a:minorFont></a:fontScheme><a:fmtScheme name="Office"/></a:themeElements></a:theme>',
    "xl/metadata.xml": '<?xml version="1.0"?><metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray"><metadataTypes count="1"><metadataType name="XLDAPR" minSupportedVersion="120000" copy="1" pasteAll="1" pasteValues="1" merge="1" splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" coerce="1" cellMeta="1"/></metadataTypes><futureMetadata name="XLDAPR" count="1"><bk><extLst><ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}"><xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/></ext></extLst></bk></futureMetadata><cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>',
}


def column(at):
    name = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        name = chr(65 + rest) + name
    return name


def write(path, rows):
    """`rows`: row number to a list of (column, kind, content)."""
    out = ['<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>']
    for row in sorted(rows):
        out.append(f'<row r="{row}">')
        for col, kind, content in sorted(rows[row]):
            place = f"{column(col)}{row}"
            if kind == "number":
                out.append(f'<c r="{place}"><v>{content}</v></c>')
            elif kind == "text":
                out.append(f'<c r="{place}" t="str"><v>{content}</v></c>')
            elif kind == "formula":
                out.append(f'<c r="{place}"><f>{content}</f><v>0</v></c>')
            else:
                formula, area = content
                out.append(f'<c r="{place}" cm="1"><f t="array" ref="{area}">{formula}</f><v>0</v></c>')
        out.append("</row>")
    out.append("</sheetData></worksheet>")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in FRAME.items():
            package.writestr(name, text)
        package.writestr("xl/worksheets/sheet1.xml", "".join(out))


def chain(count):
    rows = {1: [(0, "number", 1)]}
    for row in range(2, count + 2):
        rows[row] = [(0, "formula", f"A{row - 1}+1")]
    return rows


def sums(count):
    random.seed(1)
    rows = {}
    for row in range(1, count + 100):
        rows[row] = [(0, "number", random.randint(1, 1000))]
        if row <= count:
            rows[row].append((1, "formula", f"SUM(A{row}:A{row + 99})"))
    return rows


def lookups(count, size=10_000):
    random.seed(2)
    keys = random.sample(range(10 * size), size)
    rows = {}
    for row in range(1, count + 1):
        cells = rows.setdefault(row, [])
        if row <= size:
            cells += [(0, "number", keys[row - 1]), (1, "number", row)]
        cells.append((3, "number", random.choice(keys)))
        formula = f"VLOOKUP(D{row},$A$1:$B${size},2,FALSE)" if row % 2 else f"INDEX($B$1:$B${size},MATCH(D{row},$A$1:$A${size},0))"
        cells.append((4, "formula", formula))
    return rows


def sumifs(count, size=2_000):
    random.seed(3)
    names = ["north", "south", "east", "west"]
    rows = {}
    for row in range(1, count + 1):
        cells = rows.setdefault(row, [])
        if row <= size:
            cells += [(0, "text", random.choice(names)), (1, "number", random.randint(1, 50)), (2, "number", random.randint(1, 1000))]
        cells += [(4, "text", random.choice(names)), (5, "number", random.randint(1, 50))]
        cells.append((6, "formula", f"SUMIFS($C$1:$C${size},$A$1:$A${size},E{row},$B$1:$B${size},F{row})"))
    return rows


def arrays(count):
    random.seed(4)
    rows = {}
    for row in range(1, 101):
        rows[row] = [(0, "number", random.randint(1, 1000))]
    # Blocks of 100 rows; every formula fills 100 cells of its column.
    per_column = 10
    for number in range(count // 100):
        col, block = 2 + number // per_column, number % per_column
        top = 1 + block * 100
        area = f"{column(col)}{top}:{column(col)}{top + 99}"
        formula = [
            f"_xlfn.SEQUENCE(100,1,{number},$A$1)",
            "_xlfn._xlws.SORT($A$1:$A$100)",
            "_xlfn._xlws.FILTER($A$1:$A$100,$A$1:$A$100&gt;0)",
            "$A$1:$A$100*2+1",
        ][number % 4]
        rows.setdefault(top, []).append((col, "array", (formula, area)))
    return rows


SHAPES = {"chain": chain, "sums": sums, "lookups": lookups, "sumifs": sumifs, "arrays": arrays}

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    folder.mkdir(parents=True, exist_ok=True)
    for name, shape in SHAPES.items():
        write(folder / f"{name}.xlsx", shape(count))
