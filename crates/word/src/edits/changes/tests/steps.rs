//! Deciding bit by bit comes to what deciding at once does, however changes of several people lie in each other.

use super::*;

fn of(author: &str, name: &str, id: usize, inner: &str) -> String {
    let tag = format!("w:{name} w:id=\"{id}\" w:author=\"{author}\" w:date=\"d\"");
    if inner.is_empty() { format!("<{tag}/>") } else { format!("<{tag}>{inner}</w:{name}>") }
}

fn deleted(text: &str) -> String {
    format!("<w:r><w:delText>{text}</w:delText></w:r>")
}

fn ending(marks: &str) -> String {
    format!("<w:pPr><w:rPr>{marks}</w:rPr></w:pPr>")
}

fn field(part: &str) -> String {
    format!("<w:r><w:fldChar w:fldCharType=\"{part}\"/></w:r>")
}

fn table(rows: &str) -> String {
    format!("<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>")
}

fn cell(inner: &str) -> String {
    format!("<w:tc>{inner}</w:tc>")
}

const START: &str = "<w:bookmarkStart w:id=\"9\" w:name=\"n\"/><w:commentRangeStart w:id=\"8\"/>";

/// Marks before a paragraph stand where they would at its beginning.
fn placed(content: &Content) -> String {
    body(content).replace(&format!("{START}<w:p>"), &format!("<w:p>{START}"))
}

fn cases() -> Vec<(&'static str, String)> {
    let nested = of("A", "ins", 1, &(r("a") + &of("B", "del", 2, &deleted("b")) + &r("c")));
    let marks = of("A", "ins", 1, "") + &of("B", "del", 2, "");
    let move_half = |kind: &str, id: usize, inner: &str| {
        format!(
            "<w:{kind}RangeStart w:id=\"{id}\" w:name=\"m\" w:author=\"A\"/>{}<w:{kind}RangeEnd w:id=\"{id}\"/>",
            of("A", kind, id + 1, inner)
        )
    };
    let inserted_row = format!(
        "<w:tr><w:trPr>{}</w:trPr>{}{}</w:tr>",
        of("A", "ins", 1, ""),
        cell(&p(&(of("A", "ins", 2, &r("x")) + &of("A", "ins", 3, &of("B", "del", 4, &deleted("y")))))),
        cell(&p(&of("A", "ins", 5, &r("z"))))
    );
    let old_row = format!("<w:tr>{}</w:tr>", cell(&p(&r("old"))));
    let start = START;
    let stop = "<w:bookmarkEnd w:id=\"9\"/><w:commentRangeEnd w:id=\"8\"/>";
    vec![
        ("a deletion inside an insertion of somebody else", p(&(r("0") + &nested))),
        (
            "a mark that one inserted and another deleted",
            p(&(ending(&marks) + &nested.replace("\"1\"", "\"3\"").replace("\"2\"", "\"4\"")))
                + &p(&r("end")),
        ),
        (
            "text inserted and deleted where it was moved",
            p(&(r("0") + &move_half("moveFrom", 1, &(r("m") + &of("B", "ins", 5, &r("new"))))))
                + &p(&(r("1") + &move_half("moveTo", 3, &(r("m") + &of("B", "del", 6, &deleted("gone")))))),
        ),
        ("a row of one with deletions of another", table(&(old_row.clone() + &inserted_row)) + &p("")),
        ("the only row of a table", table(&inserted_row) + &p(&r("end"))),
        (
            "the mark at the end of a cell",
            table(&format!(
                "<w:tr>{}</w:tr>",
                cell(
                    &(p(&(ending(&of("A", "ins", 1, "")) + &r("a")))
                        + &p(&(ending(&of("B", "del", 2, "")) + &of("B", "del", 3, &deleted("b")))))
                )
            )) + &p(""),
        ),
        (
            "marks before a table",
            p(&(ending(&of("A", "del", 1, "")) + &r("a")))
                + &p(&(ending(&of("B", "del", 2, "")) + &of("B", "del", 3, &deleted("b"))))
                + &table(&old_row)
                + &p(""),
        ),
        (
            "an empty paragraph that was put before a table",
            p(&r("a")) + &p(&ending(&of("A", "ins", 1, ""))) + &table(&old_row) + &p(""),
        ),
        (
            "several marks in a row",
            p(&(ending(&of("A", "del", 1, "")) + &r("a")))
                + &p(&(ending(&of("B", "del", 2, "")) + &of("B", "del", 3, &deleted("b"))))
                + &p(&(ending(&of("A", "ins", 4, "")) + &of("A", "ins", 5, &r("c"))))
                + &p(&r("d")),
        ),
        (
            "bookmarks and comment ranges across changes",
            p(&(of("A", "ins", 1, &(r("a") + start))
                + &r("b")
                + &of("B", "del", 2, &(deleted("c") + stop))
                + &r("d"))),
        ),
        (
            "a bookmark that ends in another paragraph",
            p(&(ending(&of("A", "del", 1, "")) + &of("A", "del", 2, &(start.to_owned() + &deleted("a")))))
                + &p(&(of("B", "ins", 3, &r("b")) + stop)),
        ),
        (
            "a field whose beginning was inserted",
            p(&(of("A", "ins", 1, &(field("begin") + "<w:r><w:instrText>PAGE</w:instrText></w:r>"))
                + &field("separate")
                + &of("B", "ins", 2, &r("1"))
                + &field("end")
                + &r("b"))),
        ),
        (
            "a field deleted in two steps",
            p(&(of(
                "A",
                "del",
                1,
                &(field("begin") + "<w:r><w:delInstrText>PAGE</w:delInstrText></w:r>" + &field("separate")),
            ) + &of("B", "del", 2, &(deleted("1") + &field("end")))
                + &r("b"))),
        ),
        (
            "changes in a link and in a control",
            p(&format!(
                "<w:hyperlink w:anchor=\"x\">{}{}</w:hyperlink><w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>",
                of("A", "ins", 1, &r("a")),
                of("B", "del", 2, &deleted("b")),
                of("A", "del", 3, &deleted("c")) + &of("B", "ins", 4, &r("d"))
            )),
        ),
        (
            "formatting of inserted text",
            p(&of(
                "A",
                "ins",
                1,
                &format!(
                    "<w:r><w:rPr><w:b/>{}</w:rPr><w:t>a</w:t></w:r>",
                    of("B", "rPrChange", 2, "<w:rPr><w:i/></w:rPr>")
                ),
            )),
        ),
        (
            "a paragraph's formatting and its mark",
            p(&format!(
                "<w:pPr><w:jc w:val=\"left\"/><w:rPr>{}<w:b/>{}</w:rPr>{}</w:pPr>{}",
                of("A", "ins", 1, ""),
                of("B", "rPrChange", 2, "<w:rPr><w:i/></w:rPr>"),
                of("A", "pPrChange", 3, "<w:pPr><w:jc w:val=\"right\"/></w:pPr>"),
                r("a")
            )) + &p(&r("b")),
        ),
    ]
}

#[test]
fn deciding_one_by_one_comes_to_what_deciding_at_once_does() {
    for (case, xml) in cases() {
        let content = document(&xml);
        let listed = changes(&View::read(&content).expect("viewed")).expect("listed");
        for resolution in [Resolution::Accept, Resolution::Reject] {
            let at_once = placed(&resolve(&content, resolution, Which::All).expect("resolved"));
            for author in ["A", "B"] {
                let half = resolve(&content, resolution, Which::Author(author.into())).expect("resolved");
                let rest = resolve(&half, resolution, Which::All).expect("resolved");
                assert_eq!(placed(&rest), at_once, "{case}: {author} first, {resolution:?}");
            }
            for change in &listed {
                let one =
                    resolve(&content, resolution, Which::Ids(vec![change.id.clone()])).expect("resolved");
                let rest = resolve(&one, resolution, Which::All).expect("resolved");
                assert_eq!(placed(&rest), at_once, "{case}: {} first, {resolution:?}", change.id);
            }
        }
    }
}

#[test]
fn a_decision_on_one_author_keeps_the_changes_of_others() {
    for (case, xml) in cases() {
        let content = document(&xml);
        let theirs = |content: &Content| -> Vec<String> {
            let listed = changes(&View::read(content).expect("viewed")).expect("listed");
            listed.into_iter().filter(|change| change.author == "B").map(|change| change.id).collect()
        };
        let accepted = resolve(&content, Resolution::Accept, Which::Author("A".into())).expect("resolved");
        // Accepting leaves all of what others wrote, but for what stood in what went.
        let within = ["text inserted and deleted where it was moved"];
        if !within.contains(&case) {
            assert_eq!(theirs(&accepted), theirs(&content), "{case}");
        }
    }
}

#[test]
fn real_documents_are_decided_in_steps_as_at_once() {
    use edit::Format;

    let Some(samples) = testkit::corpus::samples("docx") else { return };
    let mut decided = 0;
    for sample in &samples {
        let Ok((_, content)) = ooxml::Package::open(sample.bytes(), &ooxml::Limits::default()) else {
            continue;
        };
        let main = content.read("word/document.xml").ok().flatten();
        if main.is_none_or(|main| main.len() >= 1 << 20) {
            continue;
        }
        let Ok(listed) = Word::view(&content).and_then(|view| changes(&view)) else { continue };
        if listed.is_empty() {
            continue;
        }
        let every_second = listed.iter().step_by(2).map(|change| change.id.clone()).collect();
        let half = Which::Ids(every_second);
        for resolution in [Resolution::Accept, Resolution::Reject] {
            let said = |content: &Content| lines(&View::read(content).expect("viewed"), Side::Redline);
            let at_once = said(&resolve(&content, resolution, Which::All).expect("resolved"));
            let first = resolve(&content, resolution, half.clone()).expect("resolved");
            let rest = said(&resolve(&first, resolution, Which::All).expect("resolved"));
            assert_eq!(rest, at_once, "{resolution:?} {}", sample.path.display());
        }
        decided += 1;
    }
    assert!(decided > 0, "no sample has tracked changes");
}
