#!/usr/bin/env python3
"""Writes agreement.docx, clauses.docx and orders.xlsx, the small documents (beside samples/handbook.md) that the sentences in this
folder are about. They are our own and hold what everyday requests speak of: clauses, lists, tables, comments and tracked
changes of two authors, a link, placeholders; a list of orders that is an Excel table, inputs with labels, quarters. expenses.xlsx
beside them was written with openpyxl: a list with a blank row and a total below it, a series of quarters, formulas without
stored values."""
import pathlib
import zipfile
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).parent
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."


def write(name, overrides, parts):
    types = f'{XML}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
    types += "".join(f'<Override PartName="/{part}" ContentType="{kind}+xml"/>' for part, kind in overrides) + "</Types>"
    with zipfile.ZipFile(HERE / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in [("[Content_Types].xml", types), *parts]:
            entry = zipfile.ZipInfo(part, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)


def rels(*items):
    body = "".join(f'<Relationship Id="rId{n}" Type="{OFFICE}/{kind}" Target="{target}"{mode}/>' for n, (kind, target, mode) in enumerate(items, 1))
    return f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{body}</Relationships>'


def r(text, props=""):
    return f'<w:r>{f"<w:rPr>{props}</w:rPr>" if props else ""}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


ids = iter(range(0x20A00001, 0x20B00000))


def p(*runs, style=None, num=None, props=""):
    inside = (f'<w:pStyle w:val="{style}"/>' if style else "") + (
        f'<w:numPr><w:ilvl w:val="{num[1]}"/><w:numId w:val="{num[0]}"/></w:numPr>' if num else "") + props
    runs = "".join(run if run.startswith("<") else r(run) for run in runs)
    return f'<w:p w14:paraId="{next(ids):08X}">{f"<w:pPr>{inside}</w:pPr>" if inside else ""}{runs}</w:p>'


def table(*rows):
    width = 9000 // len(rows[0])
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for _ in rows[0])
    body = "".join("<w:tr>" + "".join(f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>{p(cell)}</w:tc>' for cell in row) + "</w:tr>" for row in rows)
    return f'<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/><w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>{body}</w:tbl>'


def commented(number, text):
    return f'<w:commentRangeStart w:id="{number}"/>{r(text)}<w:commentRangeEnd w:id="{number}"/><w:r><w:commentReference w:id="{number}"/></w:r>'


def changed(kind, number, author, text):
    inner = r(text) if kind == "ins" else r(text).replace("w:t>", "w:delText>").replace("<w:t ", "<w:delText ")
    return f'<w:{kind} w:id="{number}" w:author="{author}" w:date="2026-02-10T09:30:00Z">{inner}</w:{kind}>'


def agreement():
    head, sub, bullet = (1, 0), (1, 1), (2, 0)
    bold = "<w:b/>"
    body = "".join([
        p("Supply Agreement", style="Title"),
        p("This Agreement is made on 3 May 2023 between ", r("Acme Ltd", bold), " (the “Supplier”) and Borealis Corp (the “Buyer”). This is a draft. The Supplier shall deliver the goods."),
        p("Whereas the Buyer hereby wishes to purchase goods from the Supplier;"),
        p("Definitions", style="Heading1", num=head),
        p("“Effective Date” means 1 May 2023.", num=sub),
        p("“Goods” means the items listed in the order.", num=sub),
        p("Payment", style="Heading1", num=head),
        p("The Buyer shall pay each invoice within thirty (30) days, without ", commented(0, "set-off"), ".", num=sub),
        p("Interest runs at ", changed("del", 101, "Anna", "4"), changed("ins", 102, "Anna", "5"), "% a year. The rate is ", r("TBD", bold), ".", num=sub),
        p("Term", style="Heading1", num=head),
        p("This Agreement starts on the Effective Date and lasts two years", changed("ins", 103, "Bob", " and no longer"), ".", num=sub),
        p("Liability", style="Heading1", num=head),
        p("Neither party is liable for force majeure. Liability is capped at net income.", num=sub),
        p("The Supplier shall keep insurance of EUR 1,000,000.", num=sub),
        p("Scope", style="Heading1", num=head),
        p("The Supplier delivers:"),
        p("steel sheets", num=bullet), p("copper wire", num=bullet), p("aluminium rods", num=bullet),
        p("Expenses", style="Heading1", num=head),
        p("The following are paid by the Buyer:"),
        p("hotel costs", num=bullet), p("meals", num=bullet),
        p(),
        p("Prices", style="Heading1", num=head),
        table(["Name", "Amount", "Date"], ["Widget", "120", "2023-04-01"], ["Bob", "80", "2023-06-15"], ["Gadget", "200", "2023-01-20"]),
        p("Travel is charged as follows. This is ", r("URGENT", '<w:highlight w:val="yellow"/>'), "."),
        table(["City", "Days", "Rate"], ["Oslo", "4", "12.50"], ["Berlin", "2", "9.00"]),
        p("Notices", style="Heading1", num=head),
        p("Notices are sent to [Name] at ", commented(1, "our website"), ". Contact: anna@example.com."),
        p("Annex A", style="Heading1"),
        p("Important: the Supplier and the suppliers of the Supplier are bound."),
        p("Signed for the Buyer: ____________"),
        '<w:sectPr><w:headerReference w:type="default" r:id="rId4"/><w:footerReference w:type="default" r:id="rId5"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>',
    ])
    space = f'xmlns:w="{WORD}" xmlns:r="{OFFICE}" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="w14"'

    def style(ident, name, rest, kind="paragraph", default=""):
        return f'<w:style w:type="{kind}"{default} w:styleId="{ident}"><w:name w:val="{name}"/>{rest}</w:style>'

    lines = "".join(f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>' for side in ("top", "left", "bottom", "right", "insideH", "insideV"))
    styles = f'{XML}<w:styles {space}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Calibri"/><w:sz w:val="22"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120"/></w:pPr></w:pPrDefault></w:docDefaults>' + "".join([
        style("Normal", "Normal", "<w:qFormat/>", default=' w:default="1"'),
        style("Title", "Title", '<w:basedOn w:val="Normal"/><w:qFormat/><w:rPr><w:sz w:val="40"/></w:rPr>'),
        style("Heading1", "heading 1", '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="26"/></w:rPr>'),
        style("Heading2", "heading 2", '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/></w:rPr>'),
        style("Quote", "Quote", '<w:basedOn w:val="Normal"/><w:qFormat/><w:rPr><w:i/></w:rPr>'),
        style("Header", "header", '<w:basedOn w:val="Normal"/>'), style("Footer", "footer", '<w:basedOn w:val="Normal"/>'),
        style("TableNormal", "Normal Table", "<w:tblPr/>", kind="table", default=' w:default="1"'),
        style("TableGrid", "Table Grid", f'<w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>{lines}</w:tblBorders></w:tblPr>', kind="table"),
    ]) + "</w:styles>"

    def levels(formats):
        return "".join(f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="720" w:hanging="720"/></w:pPr></w:lvl>' for n, (kind, text) in enumerate(formats))

    numbering = f'{XML}<w:numbering {space}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>{levels([("decimal", "%1."), ("decimal", "%1.%2")])}</w:abstractNum><w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="hybridMultilevel"/>{levels([("bullet", "•")])}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
    comments = f"{XML}<w:comments {space}>" + "".join(
        f'<w:comment w:id="{n}" w:author="{who}" w:date="2026-02-11T14:05:00Z" w:initials="{who[0]}">{p(text)}</w:comment>'
        for n, (who, text) in enumerate([("Anna", "Do we want this?"), ("Bob", "Which one?")])) + "</w:comments>"
    header = f'{XML}<w:hdr {space}>{p("Acme / Borealis", style="Header")}</w:hdr>'
    footer = f'{XML}<w:ftr {space}>{p("Draft of May", style="Footer")}</w:ftr>'
    write("agreement.docx", [(f"word/{part}.xml", WORD_TYPE + kind) for part, kind in [("document", "document.main"), ("styles", "styles"), ("numbering", "numbering"), ("comments", "comments"), ("header1", "header"), ("footer1", "footer")]], [
        ("_rels/.rels", rels(("officeDocument", "word/document.xml", ""))),
        ("word/document.xml", f"{XML}<w:document {space}><w:body>{body}</w:body></w:document>"),
        ("word/_rels/document.xml.rels", rels(("styles", "styles.xml", ""), ("numbering", "numbering.xml", ""), ("comments", "comments.xml", ""), ("header", "header1.xml", ""), ("footer", "footer1.xml", ""))),
        ("word/styles.xml", styles), ("word/numbering.xml", numbering), ("word/comments.xml", comments), ("word/header1.xml", header), ("word/footer1.xml", footer),
    ])


def clauses():
    """Headings with numbers, and below them lists of letters that begin at the first level of a list of their own."""
    head, letter, roman = (1, 0), (2, 0), (2, 1)
    body = "".join([
        p("Master Agreement", style="Title"),
        p("Definitions", style="Heading1", num=head),
        p("The following terms have these meanings:"),
        p("“Party” means who signs.", num=letter),
        p("“Services” means:", num=letter),
        p("advice; and", num=roman), p("training.", num=roman),
        p("Term", style="Heading1", num=head),
        p("It begins today and ends on sixty days notice. Either Party may end it:"),
        p("for breach, after thirty days;", num=letter),
        p("at once, if the other Party is insolvent for sixty days; or", num=letter),
        p("for convenience.", num=letter),
        p("Law", style="Heading1", num=head),
        p("The law of Norway applies to each Party."),
    ])
    space = f'xmlns:w="{WORD}" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="w14"'
    styles = f'{XML}<w:styles {space}><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>'

    def levels(*formats):
        return "".join(f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/></w:lvl>' for n, (kind, text) in enumerate(formats))

    numbering = f'{XML}<w:numbering {space}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>{levels(("decimal", "%1."))}</w:abstractNum>' + "".join(
        f'<w:abstractNum w:abstractNumId="{n}"><w:multiLevelType w:val="multilevel"/>{levels(("lowerLetter", "(%1)"), ("lowerRoman", "(%2)"))}</w:abstractNum>' for n in (1, 2)
    ) + '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num></w:numbering>'
    # The letters begin again under each heading.
    first, second = body.split("It begins today", 1)
    body = first + "It begins today" + second.replace('<w:numId w:val="2"/>', '<w:numId w:val="3"/>')
    write("clauses.docx", [(f"word/{part}.xml", WORD_TYPE + kind) for part, kind in [("document", "document.main"), ("styles", "styles"), ("numbering", "numbering")]], [
        ("_rels/.rels", rels(("officeDocument", "word/document.xml", ""))),
        ("word/document.xml", f"{XML}<w:document {space}><w:body>{body}<w:sectPr/></w:body></w:document>"),
        ("word/_rels/document.xml.rels", rels(("styles", "styles.xml", ""), ("numbering", "numbering.xml", ""))),
        ("word/styles.xml", styles), ("word/numbering.xml", numbering),
    ])


def cell(place, value, look=0):
    look = f' s="{look}"' if look else ""
    if isinstance(value, tuple):
        formula, shown = value
        kind = ' t="str"' if isinstance(shown, str) else ""
        return f'<c r="{place}"{look}{kind}><f>{escape(formula)}</f><v>{shown}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}"{look} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"{look}><v>{value}</v></c>'


def sheet(rows, looks=None, tail=""):
    """`rows` from row 1 on; `looks` is the format of each column below the first row."""
    lines = []
    for n, row in enumerate(rows, 1):
        cells = "".join(cell(f"{'ABCDEFGHIJ'[at]}{n}", value, 1 if n == 1 else (looks or {}).get(at, 0)) for at, value in enumerate(row) if value is not None)
        if cells:
            lines.append(f'<row r="{n}">{cells}</row>')
    return f'{XML}<worksheet xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData>{"".join(lines)}</sheetData>{tail}</worksheet>'


def orders():
    listed = [("Widget", "West", "open", 10, 3, 45000, "a"), ("Gadget", "East", "closed", 7, 12, 45031, "b"), ("Bob", "West", "closed", 4, 5, 45012, "foo"),
              ("Sprocket", "North", "open", 120, 1, 45100, "NY"), ("Gear Ltd", "East", "open", 15, 8, 45003, "")]
    data = [["Name", "Region", "Status", "Price", "Quantity", "Amount", "Date", "Notes"]]
    for n, (name, region, status, price, quantity, date, note) in enumerate(listed, 2):
        data.append([name, region, status, price, quantity, (f"D{n}*E{n}", price * quantity), date, note or None])
    inputs = [["Assumption", "Value"], ["Opening revenue", 120000], ["Growth rate", 0.04], ["Rent", 1200], ["Marketing budget", 5000], ["Price list", "2023"]]
    quarters = [["Team", "Q1", "Q2", "Q3", "Q4"], ["Sales", 100, 200, 150, 250], ["Support", 80, -20, 95, 85], ["Travel", 30, 40, 20, 10]]
    summary = [["Total", ("SUM(Model!B2:E2)", 700)], ["Rent", ("Inputs!B4", 1200)], ["Ratio", ("B1/B2", 700 / 1200)]]
    names = ["Data", "Inputs", "Model", "Summary", "Archive", "Orders"]
    table_rows = [["Item", "Month", "Cost"], ["Paper", "May", 12], ["Ink", "June", 30], ["Pens", "May", 8]]
    columns = "".join(f'<tableColumn id="{n}" name="{name}"/>' for n, name in enumerate(table_rows[0], 1))
    table = f'{XML}<table xmlns="{SHEET}" id="1" name="Supplies" displayName="Supplies" ref="A1:C4" totalsRowShown="0"><autoFilter ref="A1:C4"/><tableColumns count="3">{columns}</tableColumns><tableStyleInfo name="TableStyleMedium2" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>'
    sheets = [sheet(data, {6: 2}), sheet(inputs, {}), sheet(quarters), sheet(summary), sheet([["Old", 1]]), sheet(table_rows, tail='<tableParts count="1"><tablePart r:id="rId1"/></tableParts>')]
    font = '<font>{}<sz val="11"/><name val="Calibri"/></font>'
    xf = '<xf numFmtId="{}" fontId="{}" fillId="0" borderId="0" xfId="0"/>'
    styles = f'{XML}<styleSheet xmlns="{SHEET}"><fonts count="2">{font.format("")}{font.format("<b/>")}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3">{xf.format(0, 0)}{xf.format(0, 0)}{xf.format(14, 0)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    listing = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(names, 1))
    write("orders.xlsx", [("xl/workbook.xml", SHEET_TYPE + "sheet.main"), ("xl/styles.xml", SHEET_TYPE + "styles"), ("xl/tables/table1.xml", SHEET_TYPE + "table"), *[(f"xl/worksheets/sheet{n}.xml", SHEET_TYPE + "worksheet") for n in range(1, 7)]], [
        ("_rels/.rels", rels(("officeDocument", "xl/workbook.xml", ""))),
        ("xl/workbook.xml", f'{XML}<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>{listing}</sheets></workbook>'),
        ("xl/_rels/workbook.xml.rels", rels(*[("worksheet", f"worksheets/sheet{n}.xml", "") for n in range(1, 7)], ("styles", "styles.xml", ""))),
        *[(f"xl/worksheets/sheet{n}.xml", text) for n, text in enumerate(sheets, 1)],
        ("xl/worksheets/_rels/sheet6.xml.rels", rels(("table", "../tables/table1.xml", ""))),
        ("xl/tables/table1.xml", table), ("xl/styles.xml", styles),
    ])


agreement()
orders()
clauses()
