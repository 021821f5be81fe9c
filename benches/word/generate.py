"""A document of N paragraphs with mixed runs, tables and lists, the same bytes each time."""
import sys
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
WORDS = (
    "agreement party notice period service payment invoice supplier customer term clause delivery "
    "warranty liability termination confidential schedule renewal written consent reasonable material"
).split()


def sentence(n, k):
    words = [WORDS[(n * 7 + i * 13 + (n * i) % 5) % len(WORDS)] for i in range(k)]
    return " ".join(words).capitalize() + "."


def run(text, props=""):
    rpr = f"<w:rPr>{props}</w:rPr>" if props else ""
    return f'<w:r w:rsidR="00A77B3E">{rpr}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(n):
    kind = n % 10
    ppr = ""
    if kind == 0:
        ppr = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    elif kind in (3, 4, 5):
        ppr = f'<w:pPr><w:numPr><w:ilvl w:val="{kind - 3}"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    runs = (
        run(f"Item {n}. ", "<w:b/>")
        + run(sentence(n, 9) + " ")
        + run(sentence(n + 1, 5), "<w:i/><w:color w:val=\"333333\"/>")
        + run(" " + sentence(n + 2, 12))
        + run(f" Mark{n}x", '<w:u w:val="single"/>')
        + run(" end.")
    )
    return f'<w:p w:rsidR="00A77B3E" w:rsidRDefault="00A77B3E">{ppr}{runs}</w:p>'


def table(n, count):
    """A table of `count` cells, four to a row, each with one paragraph."""
    rows = ""
    for start in range(0, count, 4):
        cells = "".join(
            f'<w:tc><w:tcPr><w:tcW w:w="2250" w:type="dxa"/></w:tcPr>{paragraph(n + start + i)}</w:tc>' for i in range(4)
        )
        rows += f"<w:tr>{cells}</w:tr>"
    return (
        '<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/></w:tblPr><w:tblGrid>'
        + '<w:gridCol w:w="2250"/>' * 4 + f"</w:tblGrid>{rows}</w:tbl>"
    )


def write(path, paragraphs):
    parts, n = [], 0
    while n < paragraphs:
        if n % 1000 == 900 and paragraphs - n >= 100:
            parts.append(table(n, 100))
            n += 100
        else:
            parts.append(paragraph(n))
            n += 1
    body = "".join(parts) + '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    document = f'{head}<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    styles = f'{head}<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:rPr><w:b/></w:rPr></w:style></w:styles>'
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{t}"/></w:lvl>'
        for i, t in enumerate(["%1.", "%1.%2", "%1.%2.%3"])
    )
    numbering = f'{head}<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    rel = "http://schemas.openxmlformats.org/package/2006/relationships"
    odr = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    wml = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    files = {
        "[Content_Types].xml": f'{head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="{wml}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="{wml}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="{wml}.numbering+xml"/></Types>',
        "_rels/.rels": f'{head}<Relationships xmlns="{rel}"><Relationship Id="rId1" Type="{odr}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": document,
        "word/_rels/document.xml.rels": f'{head}<Relationships xmlns="{rel}"><Relationship Id="rId1" Type="{odr}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="{odr}/numbering" Target="numbering.xml"/></Relationships>',
        "word/styles.xml": styles,
        "word/numbering.xml": numbering,
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
