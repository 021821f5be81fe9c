#!/usr/bin/env python3
"""Writes contract.docx, form.docx and budget.xlsx. They are our own, made part by part so that every feature in them is
there on purpose: run-in headers, defined terms, numbered clauses, a table, a comment, a footnote, another
author's tracked change; content controls of every kind that can be filled in; inputs, a model with formulas, names, a validation and cached values."""
import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="w14"'
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
CT = 'http://schemas.openxmlformats.org/package/2006/content-types'
REL = 'http://schemas.openxmlformats.org/package/2006/relationships'
ODR = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'


def write(name, parts):
    with zipfile.ZipFile(HERE / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in parts:
            entry = zipfile.ZipInfo(part, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)


def rels(*items):
    body = "".join(
        f'<Relationship Id="{i}" Type="{t}" Target="{target}"/>' for i, t, target in items
    )
    return f'{XML}<Relationships xmlns="{REL}">{body}</Relationships>'


def r(text, *props):
    inner = "".join(props)
    rpr = f"<w:rPr>{inner}</w:rPr>" if inner else ""
    return f'<w:r>{rpr}<w:t xml:space="preserve">{text}</w:t></w:r>'


B, I, U = "<w:b/>", "<w:i/>", '<w:u w:val="single"/>'
paras = iter(range(0x10A00001, 0x10B00000))


def p(*runs, style=None, num=None, extra=""):
    ppr = (f'<w:pStyle w:val="{style}"/>' if style else "") + (
        f'<w:numPr><w:ilvl w:val="{num[1]}"/><w:numId w:val="{num[0]}"/></w:numPr>' if num else ""
    ) + extra
    ppr = f"<w:pPr>{ppr}</w:pPr>" if ppr else ""
    return f'<w:p w14:paraId="{next(paras):08X}">{ppr}{"".join(runs)}</w:p>'


def cell(width, text, *props, fill=None):
    shade = f'<w:shd w:val="clear" w:color="auto" w:fill="{fill}"/>' if fill else ""
    return f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{shade}</w:tcPr>{p(r(text, *props))}</w:tc>'


def row(*cells, header=False):
    return f'<w:tr>{"<w:trPr><w:tblHeader/></w:trPr>" if header else ""}{"".join(cells)}</w:tr>'


def contract():
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> REF _Ref1 \\r \\h </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>2.1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    body = "".join([
        p(r("Services Agreement"), style="Title"),
        p(r("This agreement is made on 1 March 2026 between "), r("Northwind Mills Ltd", B), r(" (the "),
          r("“Customer”", B), r(") and "), r("Alder &amp; Finch LLP", B), r(" (the "), r("“Supplier”", B), r(").")),
        p(r("Definitions"), style="Heading1", num=(1, 0)),
        p(r("“Fees”", B), r(" means the amounts set out in the table of clause 3."), num=(1, 1)),
        p(r("“Services”", B), r(" means the work described in each order that both parties sign.",), num=(1, 1)),
        p(r("“Effective Date”", B), r(" means 1 April 2026."), num=(1, 1)),
        p(r("Payment"), style="Heading1", num=(1, 0)),
        '<w:p w14:paraId="%08X"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>'
        '<w:bookmarkStart w:id="1" w:name="_Ref1"/>' % next(paras)
        + r("Invoices.", U) + r(" The Customer shall pay each invoice within ") + r("thirty (30) days", B)
        + r(" of its date") + '<w:bookmarkEnd w:id="1"/>'
        + '<w:commentRangeStart w:id="0"/>' + r(", without set-off") + '<w:commentRangeEnd w:id="0"/>'
        '<w:r><w:commentReference w:id="0"/></w:r>' + r(".") + "</w:p>",
        p(r("Late payment.", U), r(" Interest runs at "),
          '<w:del w:id="101" w:author="Priya Nair" w:date="2026-02-10T09:30:00Z"><w:r><w:delText>4</w:delText></w:r></w:del>'
          '<w:ins w:id="102" w:author="Priya Nair" w:date="2026-02-10T09:30:00Z"><w:r><w:t>3</w:t></w:r></w:ins>',
          r("% a year above the base rate"),
          '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="1"/></w:r>',
          r(" on sums that are overdue under clause "), field, r("."), num=(1, 1)),
        p(r("Fees"), style="Heading1", num=(1, 0)),
        '<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="9000" w:type="dxa"/><w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr>'
        '<w:tblGrid><w:gridCol w:w="4500"/><w:gridCol w:w="2250"/><w:gridCol w:w="2250"/></w:tblGrid>'
        + row(cell(4500, "Role", B, fill="D9E2F3"), cell(2250, "Day rate", B, fill="D9E2F3"), cell(2250, "Days", B, fill="D9E2F3"), header=True)
        + row(cell(4500, "Principal"), cell(2250, "1,400"), cell(2250, "12"))
        + row(cell(4500, "Engineer"), cell(2250, "950"), cell(2250, "40"))
        + "</w:tbl>",
        p(r("Term"), style="Heading1", num=(1, 0)),
        p(r("This agreement starts on the Effective Date and ends on 31 March 2027 unless it is "), r("renewed in writing", I), r("."), num=(1, 1)),
        p(r("Either party may end it by "), r("sixty (60) days", B), r(" notice."), num=(1, 1)),
        p(r("Signed for the Customer: ______________________")),
        '<w:sectPr><w:headerReference w:type="default" r:id="rId5"/><w:footerReference w:type="default" r:id="rId6"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>',
    ])
    document = f"{XML}<w:document {W} {R} {W14}><w:body>{body}</w:body></w:document>"
    style = lambda i, name, rest, kind="paragraph", default="": (
        f'<w:style w:type="{kind}"{default} w:styleId="{i}"><w:name w:val="{name}"/>{rest}</w:style>'
    )
    styles = XML + f"<w:styles {W}>" + (
        '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Calibri"/><w:sz w:val="22"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault>'
        '<w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>'
    ) + style("Normal", "Normal", "<w:qFormat/>", default=' w:default="1"') + style(
        "Title", "Title", '<w:basedOn w:val="Normal"/><w:qFormat/><w:pPr><w:spacing w:after="240"/></w:pPr><w:rPr><w:b/><w:sz w:val="40"/></w:rPr>'
    ) + style(
        "Heading1", "heading 1", '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="240"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="26"/></w:rPr>'
    ) + style("Header", "header", '<w:basedOn w:val="Normal"/>') + style("Footer", "footer", '<w:basedOn w:val="Normal"/>') + style(
        "FootnoteText", "footnote text", '<w:basedOn w:val="Normal"/><w:rPr><w:sz w:val="18"/></w:rPr>'
    ) + style("FootnoteReference", "footnote reference", '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>', kind="character") + style(
        "TableNormal", "Normal Table", '<w:uiPriority w:val="99"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr>', kind="table", default=' w:default="1"'
    ) + style(
        "TableGrid", "Table Grid", '<w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>' + "".join(
            f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>' for side in ("top", "left", "bottom", "right", "insideH", "insideV")
        ) + "</w:tblBorders></w:tblPr>", kind="table") + "</w:styles>"
    numbering = XML + f'<w:numbering {W}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>' + "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>{"<w:pStyle w:val=%s/>" % chr(34).join(["", "Heading1", ""]) if n == 0 else ""}<w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{left}" w:hanging="720"/></w:pPr></w:lvl>'
        for n, (text, left) in enumerate([("%1.", 720), ("%1.%2", 720), ("%1.%2.%3", 1440)])
    ) + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    comments = XML + f'<w:comments {W} {W14}><w:comment w:id="0" w:author="Tom Becker" w:date="2026-02-11T14:05:00Z" w:initials="TB">' + p(r("Can we keep set-off for disputed invoices?")) + "</w:comment></w:comments>"
    footnotes = XML + f"<w:footnotes {W} {W14}>" + '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>' + '<w:footnote w:id="1">' + p('<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>', r(" The rate of the central bank on the day of the invoice."), style="FootnoteText") + "</w:footnote></w:footnotes>"
    header = XML + f"<w:hdr {W} {W14}>" + p(r("Northwind Mills / Alder &amp; Finch"), style="Header") + "</w:hdr>"
    footer = XML + f"<w:ftr {W} {W14}>" + p(r("Page "), '<w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple>', style="Footer") + "</w:ftr>"
    wml = "application/vnd.openxmlformats-officedocument.wordprocessingml."
    types = XML + f'<Types xmlns="{CT}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' + "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{wml}{kind}+xml"/>'
        for name, kind in [("document", "document.main"), ("styles", "styles"), ("numbering", "numbering"), ("comments", "comments"), ("footnotes", "footnotes"), ("header1", "header"), ("footer1", "footer")]
    ) + "</Types>"
    write("contract.docx", [
        ("[Content_Types].xml", types),
        ("_rels/.rels", rels(("rId1", ODR + "/officeDocument", "word/document.xml"))),
        ("word/document.xml", document),
        ("word/_rels/document.xml.rels", rels(
            ("rId1", ODR + "/styles", "styles.xml"), ("rId2", ODR + "/numbering", "numbering.xml"), ("rId3", ODR + "/comments", "comments.xml"),
            ("rId4", ODR + "/footnotes", "footnotes.xml"), ("rId5", ODR + "/header", "header1.xml"), ("rId6", ODR + "/footer", "footer1.xml"))),
        ("word/styles.xml", styles), ("word/numbering.xml", numbering), ("word/comments.xml", comments),
        ("word/footnotes.xml", footnotes), ("word/header1.xml", header), ("word/footer1.xml", footer),
    ])


def control(number, title, tag, kind, *content):
    properties = f'<w:alias w:val="{title}"/><w:tag w:val="{tag}"/><w:id w:val="{number}"/>{kind}'
    return f'<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{"".join(content)}</w:sdtContent></w:sdt>'


def form():
    items = "".join(f'<w:listItem w:displayText="Net {days}" w:value="{days}"/>' for days in (30, 60))
    box = '<w14:checkbox><w14:checked w14:val="0"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/></w14:checkbox>'
    date = '<w:date><w:dateFormat w:val="d MMMM yyyy"/><w:lid w:val="en-GB"/></w:date>'
    body = "".join([
        p(r("Order form", B)),
        p(r("Customer: "), control(101, "Customer", "customer", "<w:text/>", r("Northwind Ltd"))),
        p(r("Terms: "), control(102, "Payment terms", "terms", f"<w:dropDownList>{items}</w:dropDownList>", r("Net 30"))),
        p(r("Start: "), control(103, "Start", "start", date, r("soon"))),
        p(r("Approved: "), control(104, "Approved", "approved", box, r("\u2610"))),
        p(r("Reference: "), control(105, "Reference", "reference", '<w:lock w:val="sdtContentLocked"/><w:text/>', r("2026-001"))),
        control(106, "Scope of work", "scope", "", p(r("Design.")), p(r("Delivery."))),
        p(r("End of the form.")),
    ])
    document = f'{XML}<w:document {W} {R} {W14}><w:body>{body}<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr></w:body></w:document>'
    types = f'{XML}<Types xmlns="{CT}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    write("form.docx", [
        ("[Content_Types].xml", types),
        ("_rels/.rels", rels(("rId1", f"{ODR}/officeDocument", "word/document.xml"))),
        ("word/document.xml", document),
    ])


def budget():
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    strings = []

    def s(text):
        if text not in strings:
            strings.append(text)
        return strings.index(text)

    def c(ref, value=None, formula=None, style=0):
        st = f' s="{style}"' if style else ""
        f = f"<f>{formula}</f>" if formula else ""
        if isinstance(value, str) and formula:
            return f'<c r="{ref}"{st} t="str">{f}<v>{value}</v></c>'
        if isinstance(value, str):
            return f'<c r="{ref}"{st} t="s"><v>{s(value)}</v></c>'
        return f'<c r="{ref}"{st}>{f}<v>{value!r}</v></c>' if value is not None else f'<c r="{ref}"{st}/>'

    def sheet(rows, cols="", tail=""):
        data = "".join(f'<row r="{n}">{"".join(cells)}</row>' for n, cells in rows)
        return f'{XML}<worksheet xmlns="{main}"><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/>{cols}<sheetData>{data}</sheetData>{tail}<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>'

    growth, revenue, cost = 1.05, 120000, 0.62
    inputs = sheet([
        (1, [c("A1", "Assumption", style=1), c("B1", "Value", style=1)]),
        (2, [c("A2", "Opening revenue"), c("B2", revenue, style=2)]),
        (3, [c("A3", "Yearly growth factor"), c("B3", growth, style=4)]),
        (4, [c("A4", "Cost share"), c("B4", cost, style=3)]),
    ], '<cols><col min="1" max="1" width="24" customWidth="1"/><col min="2" max="2" width="14" customWidth="1"/></cols>',
        '<dataValidations count="1"><dataValidation type="decimal" allowBlank="1" showErrorMessage="1" sqref="B4"><formula1>0</formula1><formula2>1</formula2></dataValidation></dataValidations>')
    years = [2026, 2027, 2028, 2029]
    rows = [(1, [c("A1", "Year", style=1)] + [c(f"{col}1", y, style=1) for col, y in zip("BCDE", years)])]
    rev = [revenue * growth**n for n in range(4)]
    rows.append((2, [c("A2", "Revenue")] + [c(f"{col}2", v, "Inputs!$B$2" if n == 0 else f"{'BCDE'[n - 1]}2*Inputs!$B$3", 2) for n, (col, v) in enumerate(zip("BCDE", rev))]))
    rows.append((3, [c("A3", "Cost")] + [c(f"{col}3", v * cost, f"{col}2*CostShare", 2) for col, v in zip("BCDE", rev)]))
    rows.append((4, [c("A4", "Margin", style=1)] + [c(f"{col}4", v - v * cost, f"{col}2-{col}3", 2) for col, v in zip("BCDE", rev)]))
    model = sheet(rows)
    total = sum(v - v * cost for v in rev)
    summary = sheet([
        (1, [c("A1", "Margin over four years"), c("B1", total, "SUM(Model!B4:E4)", 2)]),
        (2, [c("A2", "Best year"), c("B2", 2029, "INDEX(Model!B1:E1,MATCH(MAX(Model!B4:E4),Model!B4:E4,0))")]),
        (3, [c("A3", "Verdict"), c("B3", "Sound", 'IF(B1&gt;150000,"Sound","Thin")')]),
    ])
    sml = "application/vnd.openxmlformats-officedocument.spreadsheetml."
    types = XML + f'<Types xmlns="{CT}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{sml}sheet.main+xml"/>' + "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{sml}worksheet+xml"/>' for n in (1, 2, 3)
    ) + f'<Override PartName="/xl/styles.xml" ContentType="{sml}styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="{sml}sharedStrings+xml"/></Types>'
    workbook = XML + f'<workbook xmlns="{main}" {R}><bookViews><workbookView activeTab="2"/></bookViews><sheets><sheet name="Inputs" sheetId="1" r:id="rId1"/><sheet name="Model" sheetId="2" r:id="rId2"/><sheet name="Summary" sheetId="3" r:id="rId3"/></sheets><definedNames><definedName name="CostShare">Inputs!$B$4</definedName></definedNames><calcPr calcId="191029"/></workbook>'
    styles = XML + f'<styleSheet xmlns="{main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.0%"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    shared = XML + f'<sst xmlns="{main}" count="{len(strings)}" uniqueCount="{len(strings)}">' + "".join(f"<si><t>{t}</t></si>" for t in strings) + "</sst>"
    write("budget.xlsx", [
        ("[Content_Types].xml", types),
        ("_rels/.rels", rels(("rId1", ODR + "/officeDocument", "xl/workbook.xml"))),
        ("xl/workbook.xml", workbook),
        ("xl/_rels/workbook.xml.rels", rels(
            ("rId1", ODR + "/worksheet", "worksheets/sheet1.xml"), ("rId2", ODR + "/worksheet", "worksheets/sheet2.xml"), ("rId3", ODR + "/worksheet", "worksheets/sheet3.xml"),
            ("rId4", ODR + "/styles", "styles.xml"), ("rId5", ODR + "/sharedStrings", "sharedStrings.xml"))),
        ("xl/worksheets/sheet1.xml", inputs), ("xl/worksheets/sheet2.xml", model), ("xl/worksheets/sheet3.xml", summary),
        ("xl/styles.xml", styles), ("xl/sharedStrings.xml", shared),
    ])


contract()
form()
budget()
