//! Small documents, an edit, and what becomes of them. `⟦` and `⟧` mark the selection.

use std::ops::Range;

use edit::Refusal;
use markdown::{
    BlockType, Case, Edit, Header, ListKind, ListOperation, Mark, Markdown, Side, Spacing, TableAt,
    TableOperation, Which, Width,
};

use crate::{content, text};

fn selection(marked: &str) -> (String, Range<usize>) {
    let start = marked.find('⟦').expect("a selection");
    let bare = marked.replacen('⟦', "", 1);
    let end = bare.find('⟧').expect("the end of the selection");
    (bare.replacen('⟧', "", 1), start..end)
}

#[track_caller]
fn edited(before: &str, edit: Edit) -> Result<String, Refusal> {
    let before = content(before);
    let checked = testkit::check::<Markdown>(&before, std::slice::from_ref(&edit))?;
    Ok(text(&checked.content))
}

#[track_caller]
fn case(before: &str, edit: Edit, after: &str) {
    for eol in ["\n", "\r\n"] {
        let (before, after) = (before.replace('\n', eol), after.replace('\n', eol));
        assert_eq!(edited(&before, edit.clone()).unwrap_or_else(|r| panic!("{r}: {:?}", r.hint())), after);
    }
}

/// An edit on the marked selection.
#[track_caller]
fn on(marked: &str, edit: impl Fn(Range<usize>) -> Edit, after: &str) {
    for eol in ["\n", "\r\n"] {
        let (before, range) = selection(&marked.replace('\n', eol));
        let found = edited(&before, edit(range)).unwrap_or_else(|r| panic!("{r}: {:?}", r.hint()));
        assert_eq!(found, after.replace('\n', eol));
    }
}

#[track_caller]
fn refused(before: &str, edit: Edit) -> String {
    edited(before, edit).expect_err("to be refused").to_string()
}

fn id(text: &str) -> markdown::NodeId {
    text.parse().unwrap()
}

fn update(node: &str, content: &str) -> Edit {
    Edit::Update { node: id(node), content: content.into() }
}

fn insert(node: &str, content: &str) -> Edit {
    Edit::InsertAfter { node: id(node), content: content.into() }
}

fn delete(node: &str) -> Edit {
    Edit::Delete { node: id(node) }
}

#[test]
fn a_block_gets_new_content_and_stays_what_it_is() {
    case("# A #\n\ntext\n", update("h-0", "B"), "# B #\n\ntext\n");
    case("Title\n=====\n", update("h-0", "Other"), "Other\n=====\n");
    case("# A\ntext\n", update("h-0", "## B"), "## B\ntext\n");
    case("# A\ntext\n", update("p-0", "one\n\ntwo"), "# A\none\n\ntwo\n");
    case("```rust\nold\n```\nnext\n", update("code-0", "new\nlines"), "```rust\nnew\nlines\n```\nnext\n");
    case("```\nold\n```\n", update("code-0", "```\nx"), "````\n```\nx\n````\n");
    case("> a\n> b\n\nc\n", update("quote-0", "x\n\ny"), "> x\n>\n> y\n\nc\n");
    case("> a\n> b\n", update("p-0", "x\ny"), "> x\n> y\n");
    case("- a\n  - b\n- c\n", update("li-0", "x\ny"), "- x\n  y\n  - b\n- c\n");
    case("1. [ ] a\n", update("li-0", "b"), "1. [ ] b\n");
    case("$$\na\n$$\n", update("math-0", "b"), "$$\nb\n$$\n");
    case("---\na: 1\n---\n# T\n", update("meta-0", "a: 2"), "---\na: 2\n---\n# T\n");
    case("    code\n\nx\n", update("code-0", "a\n\nb"), "    a\n\n    b\n\nx\n");
    assert!(refused("# A\n", update("h-0", "x\ny")).contains("several lines"));
    assert!(refused("- a\n", update("ul-0", "text")).contains("bulletList"));
    assert!(refused("# A\n", update("h-7", "x")).contains("h-7"));
}

#[test]
fn a_block_that_would_run_into_its_neighbour_gets_a_blank_line() {
    case("text\n# A\nmore\n", update("h-0", "# B\n\npara"), "text\n# B\n\npara\n\nmore\n");
    case("# A\npara\n# B\n", update("p-0", "```\nx\n```"), "# A\n\n```\nx\n```\n\n# B\n");
}

#[test]
fn blocks_are_inserted_behind_blocks() {
    case("a\n\nb\n", insert("p-0", "x"), "a\n\nx\n\nb\n");
    case("# A\nb", insert("h-0", "x"), "# A\n\nx\n\nb");
    case("a\n\nb", insert("p-1", "x\n\ny\n"), "a\n\nb\n\nx\n\ny");
    case("> a\n> b\n\nc\n", insert("p-0", "x"), "> a\n> b\n>\n> x\n\nc\n");
    case("- a\n- b\n", insert("p-0", "x"), "- a\n\n  x\n\n- b\n");
    case("- a\n- b\n", insert("li-0", "x"), "- a\n- x\n- b\n");
    case("1. a\n2. b\n", insert("li-1", "1. x"), "1. a\n2. b\n3. x\n");
    case("* [x] a\n\n* [ ] b\n", insert("li-0", "x"), "* [x] a\n\n* [ ] x\n\n* [ ] b\n");
    assert!(refused("```\ncode\n", insert("code-0", "x")).contains("no closing fence"));
    assert!(refused("a\n\nb\n", insert("p-0", "```\nx")).contains("would become part"));
}

#[test]
fn blocks_are_deleted_with_what_only_separated_them() {
    case("a\n\nb\n\nc\n", delete("p-1"), "a\n\nc\n");
    case("a\n\nb\n", delete("p-1"), "a\n");
    case("a\n\nb", delete("p-1"), "a");
    case("a\n\nb\n", delete("p-0"), "b\n");
    case("para\n# H\nother\n", delete("h-0"), "para\n\nother\n");
    case("- a\n- b\n- c\n", delete("li-1"), "- a\n- c\n");
    case("- a\n\n  b\n- c\n", delete("p-0"), "- b\n- c\n");
    case("> a\n>\n> b\n", delete("p-0"), "> b\n");
}

#[test]
fn blocks_and_sections_move() {
    let go = |node: &str, after: &str| Edit::Move { node: id(node), after: id(after) };
    case("a\n\nb\n\nc\n", go("p-0", "p-2"), "b\n\nc\n\na\n");
    case("a\n\nb\n\nc\n", go("p-2", "p-0"), "a\n\nc\n\nb\n");
    case("a\n\n> q\n> r\n\nc\n", go("quote-0", "p-2"), "a\n\nc\n\n> q\n> r\n");
    let section = |h: &str, after: &str| Edit::MoveSection { heading: id(h), after: id(after) };
    case("# A\n\na\n\n# B\n\nb\n\n## C\n\nc\n", section("h-0", "h-1"), "# B\n\nb\n\n## C\n\nc\n\n# A\n\na\n");
    case("# A\n\na\n\n# B\n\nb\n", section("h-1", "h-0"), "# A\n\na\n\n# B\n\nb\n");
    assert!(refused("# A\n\n## B\n\nb\n", section("h-0", "h-1")).contains("part of itself"));
    let set = |content: &str| Edit::UpdateSection { heading: id("h-0"), content: content.into() };
    case("# A\n\na\n\n## X\n\nx\n\n# B\n", set("new"), "# A\n\nnew\n\n# B\n");
    case("# A\n\na\n\n# B\n", set("# Z\n\nnew"), "# Z\n\nnew\n\n# B\n");
    case("# A\n# B\n", set("new"), "# A\n\nnew\n\n# B\n");
    let add = Edit::InsertSection { after: id("h-0"), level: 2, title: "N".into(), content: "n".into() };
    case("# A\n\na\n\n# B\n", add, "# A\n\na\n\n## N\n\nn\n\n# B\n");
}

#[test]
fn text_is_replaced_across_formatting() {
    let all = |find: &str, with: &str| Edit::Substitute {
        find: find.into(),
        with: with.into(),
        which: Which::All,
        case: Case::Sensitive,
    };
    case("hello **wor**ld\n", all("hello world", "bye"), "bye\n");
    case("a **wor**ld b\n", all("world", "moon"), "a **moon** b\n");
    case("a [li**nk**](u) b\n", all("link", "x"), "a [x](u) b\n");
    case("a **b** c\n", all("b", ""), "a  c\n");
    case("one\ntwo\n", all("one two", "x"), "x\n");
    case("`a` a **a**\n", all("a", "b"), "`b` b **b**\n");
    case("> one\n> two\n", all("one two", "x"), "> x\n");
    case("AT&amp;T\n", all("AT&T", "B"), "B\n");
    let only =
        Edit::Substitute { find: "a".into(), with: "b".into(), which: Which::Only, case: Case::Sensitive };
    assert!(refused("a a\n", only.clone()).contains("occurs 2 times"));
    case("a x\n", only, "b x\n");
    let none = all("zzz", "y");
    case("a\n", none, "a\n");
    let anchored = |before: &str, after: &str| Edit::ReplaceAnchored {
        text: "term".into(),
        before: before.into(),
        after: after.into(),
        with: "X".into(),
    };
    case(
        "the first term here\n\nthe second term there\n",
        anchored("the second ", " there"),
        "the first term here\n\nthe second X there\n",
    );
    case(
        "the first term here\n\nthe second term there\n",
        anchored("teh secnd ", " there"),
        "the first term here\n\nthe second X there\n",
    );
    assert!(refused("a term b\n\na term b\n", anchored("a ", " b")).contains("occurs 2 times"));
    assert!(refused("a term b\n", anchored("completely different text ", " nowhere")).contains("not found"));
    assert!(refused("a term b\n\nc term d", anchored("", "")).contains("occurs 2 times"));
}

#[test]
fn raw_text_takes_the_prefix_and_line_ending_of_its_place() {
    let with = |with: &'static str| {
        move |range: Range<usize>| Edit::Replace { range, expect: None, with: with.into() }
    };
    on("> a⟦⟧\n", with("\nb"), "> a\n> b\n");
    on("- a⟦⟧\n- c\n", with("\nb"), "- a\n  b\n- c\n");
    on("x ⟦old⟧ y\n", with("new"), "x new y\n");
    on("x ⟦old ⟧y\n", with(""), "x y\n");
    on("⟦⟧para\n", with("# "), "# para\n");
    on("⟦⟧para\n", with("# New\n\n"), "# New\n\npara\n");
    let (before, range) = selection("a⟦⟧\n\nb\n\n- c\n");
    assert!(refused(&before, with("\n\n```\n")(range)).contains("which the edit does not touch"));
}

#[test]
fn marks_are_put_on_and_taken_off() {
    let toggle = |mark: Mark| move |range: Range<usize>| Edit::ToggleMark { range, mark };
    on("a ⟦bold⟧ c\n", toggle(Mark::Bold), "a **bold** c\n");
    on("a **⟦bold⟧** c\n", toggle(Mark::Bold), "a bold c\n");
    on("a ⟦**bold**⟧ c\n", toggle(Mark::Bold), "a bold c\n");
    on("a **x ⟦y⟧ z** c\n", toggle(Mark::Bold), "a **x** y **z** c\n");
    on("a ⟦b **c** d⟧\n", toggle(Mark::Bold), "a **b c d**\n");
    on("a ⟦b *c* d⟧ e\n", toggle(Mark::Bold), "a **b *c* d** e\n");
    on("a *b ⟦c* d⟧ e\n", toggle(Mark::Bold), "a *b **c*** **d** e\n");
    on("a wo⟦⟧rd b\n", toggle(Mark::Italic), "a *word* b\n");
    on("⟦one\n\ntwo⟧\n", toggle(Mark::Strike), "~~one~~\n\n~~two~~\n");
    on("⟦hi⟧ there\n", toggle(Mark::Highlight), "==hi== there\n");
    on("==⟦hi⟧== there\n", toggle(Mark::Highlight), "hi there\n");
    on("++⟦hi⟧++ there\n", toggle(Mark::Underline), "hi there\n");
    on("⟦a*b⟧\n", toggle(Mark::Code), "`a*b`\n");
    on("⟦**b**⟧ x\n", toggle(Mark::Code), "`b` x\n");
    on("`⟦a*b⟧`\n", toggle(Mark::Code), "a\\*b\n");
    on("⟦`code`⟧ x\n", toggle(Mark::Bold), "**`code`** x\n");
    on("| ⟦a⟧ | b |\n|---|---|\n", toggle(Mark::Bold), "| **a** | b |\n|---|---|\n");
    on("⟦**a** *b* ~~c~~ `d`⟧\n", |range| Edit::ClearFormatting { range }, "a b c d\n");
    let link = |range| Edit::SetLink { range, href: "http://x".into(), title: Some("t \"q\"".into()) };
    on("a ⟦b⟧ c\n", link, "a [b](http://x \"t \\\"q\\\"\") c\n");
    on(
        "a [⟦b⟧](old) c\n",
        |range| Edit::SetLink { range, href: "n w".into(), title: None },
        "a [b](<n w>) c\n",
    );
    on("a [b⟦⟧](old) c\n", |range| Edit::RemoveLink { range }, "a b c\n");
    on("[[page|⟦show⟧]]\n", |range| Edit::RemoveLink { range }, "show\n");
    let code = selection("```\n⟦x⟧\n```\n");
    assert!(refused(&code.0, toggle(Mark::Bold)(code.1)).contains("no text to format"));
}

#[test]
fn blocks_change_their_type() {
    let set = |to: BlockType| move |range: Range<usize>| Edit::SetBlock { range, to: to.clone() };
    let toggle = |to: BlockType| move |range: Range<usize>| Edit::ToggleBlock { range, to: to.clone() };
    let heading = |level| BlockType::Heading { level };
    on("te⟦⟧xt\nmore\n", set(heading(2)), "## text more\n");
    on("## te⟦⟧xt ##\n", set(heading(4)), "#### text ##\n");
    on("Ti⟦⟧tle\n---\n", set(heading(3)), "### Title\n");
    on("## te⟦⟧xt\nmore\n", toggle(heading(2)), "text\n\nmore\n");
    on("te⟦⟧xt\n", set(BlockType::CodeBlock { language: Some("rust".into()) }), "```rust\ntext\n```\n");
    on(
        "```js\nco⟦⟧de\n```\n",
        set(BlockType::CodeBlock { language: Some("ts".into()) }),
        "```ts\ncode\n```\n",
    );
    on("```js\nco⟦⟧de\n```\n", toggle(BlockType::CodeBlock { language: None }), "code\n");
    on("te⟦⟧xt\nmore\n", set(BlockType::Blockquote), "> text\n> more\n");
    on("> te⟦⟧xt\n> more\n", toggle(BlockType::Blockquote), "text\nmore\n");
    on("> te⟦⟧xt\n", set(BlockType::Paragraph), "text\n");
    on("- te⟦⟧xt\n", set(heading(1)), "- # text\n");
    on(
        "a⟦⟧\n\n- b\n",
        |range| Edit::InsertBlock { at: range.start, content: "---".into() },
        "a\n\n---\n\n- b\n",
    );
    on("a\n⟦⟧\nb\n", |range| Edit::InsertBlock { at: range.start, content: "---".into() }, "a\n\n---\n\nb\n");
    on("⟦⟧", |range| Edit::InsertBlock { at: range.start, content: "---".into() }, "---");
}

#[test]
fn lists_change_their_type_and_depth() {
    let toggle = |to: ListKind| move |range: Range<usize>| Edit::ToggleList { range, to };
    on("te⟦⟧xt\nmore\n", toggle(ListKind::Bullet), "- text\n  more\n");
    on("te⟦⟧xt\n", toggle(ListKind::Task), "- [ ] text\n");
    on("- a⟦⟧\n  x\n- b\n", toggle(ListKind::Ordered), "1. a\n   x\n2. b\n");
    on("1. a⟦⟧\n2. b\n", toggle(ListKind::Bullet), "- a\n- b\n");
    on("- a⟦⟧\n- b\n", toggle(ListKind::Task), "- [ ] a\n- [ ] b\n");
    on("- [x] a⟦⟧\n- [ ] b\n", toggle(ListKind::Bullet), "- a\n- b\n");
    on("- a⟦⟧\n- b\n", toggle(ListKind::Bullet), "a\n\nb\n");
    // From inside one item to the next: the list and the one in it.
    on("1. a\n   1. b⟦\n   2. c\n2. d⟧\n", toggle(ListKind::Bullet), "- a\n  - b\n  - c\n- d\n");
    on("- a\n  - b⟦\n  - c\n- d⟧\n", toggle(ListKind::Ordered), "1. a\n   1. b\n   2. c\n2. d\n");
    let indent = |range: Range<usize>| Edit::Indent { range };
    let outdent = |range: Range<usize>| Edit::Outdent { range };
    on("- a\n- b⟦⟧\n  - c\n- d\n", indent, "- a\n  - b\n    - c\n- d\n");
    on("1. a\n2. b⟦⟧\n", indent, "1. a\n   1. b\n");
    on("- a\n  - b⟦⟧\n- c\n", outdent, "- a\n- b\n- c\n");
    on("1. a\n   - b⟦⟧\n", outdent, "1. a\n2. b\n");
    let (before, range) = selection("- a⟦⟧\n");
    assert!(refused(&before, indent(range.clone())).contains("first item"));
    assert!(refused(&before, outdent(range)).contains("outermost"));
}

#[test]
fn lists_are_changed_item_by_item() {
    let list = |node: &str, operations: Vec<ListOperation>| Edit::List { node: id(node), operations };
    use ListOperation::*;
    case("- a\n- b\n", list("ul-0", vec![SetItem { index: 1, content: "x".into() }]), "- a\n- x\n");
    case(
        "- a\n- b\n",
        list(
            "ul-0",
            vec![AddItem { at: Some(1), content: "x".into(), checked: None }, DeleteItem { index: 0 }],
        ),
        "- x\n- b\n",
    );
    case(
        "- a\n",
        list("ul-0", vec![AddItem { at: Some(0), content: "x".into(), checked: None }]),
        "- x\n- a\n",
    );
    case(
        "- [ ] a\n",
        list(
            "task-0",
            vec![
                SetChecked { index: 0, checked: Some(true) },
                AddItem { at: None, content: "b".into(), checked: Some(true) },
            ],
        ),
        "- [x] a\n- [x] b\n",
    );
    case("- [x] a\n", list("task-0", vec![SetChecked { index: 0, checked: None }]), "- [ ] a\n");
    case(
        "1. a\n2. b\n   x\n3. c\n",
        list("ol-0", vec![Reorder { from: 2, to: 0 }]),
        "1. c\n2. a\n3. b\n   x\n",
    );
    case("- a\n- b\n", list("ul-0", vec![Indent { index: 1 }]), "- a\n  - b\n");
    assert!(refused("- a\n", list("ul-0", vec![DeleteItem { index: 3 }])).contains("0 to 0"));
}

#[test]
fn tables_keep_their_style() {
    let table =
        |operations: Vec<TableOperation>| Edit::Table { table: TableAt::Node(id("table-0")), operations };
    use TableOperation::*;
    let before = "| a   | b |\n|:----|---|\n| one | 2 |\n| x |\n";
    case(
        before,
        table(vec![SetCell { row: 1, column: 0, content: "1".into() }]),
        "| a   | b |\n|:----|---|\n| 1   | 2 |\n| x |\n",
    );
    case(
        before,
        table(vec![SetCell { row: 1, column: 1, content: "p|q\nr".into() }]),
        "| a   | b |\n|:----|---|\n| one | p\\|q<br>r |\n| x |\n",
    );
    case(
        before,
        table(vec![SetCell { row: 2, column: 1, content: "y".into() }]),
        "| a   | b |\n|:----|---|\n| one | 2 |\n| x | y |\n",
    );
    case(
        before,
        table(vec![AddRow { at: None, cells: vec!["n".into()] }]),
        "| a   | b |\n|:----|---|\n| one | 2 |\n| x |\n| n   |   |\n",
    );
    case(before, table(vec![DeleteRow { at: 1 }]), "| a   | b |\n|:----|---|\n| x |\n");
    case(before, table(vec![DeleteColumn { at: 0 }]), "| b |\n|---|\n| 2 |\n||\n");
    case(
        "a | b\n--|--\n1 | 2\n",
        table(vec![AddColumn { at: Some(2), header: "c".into(), cells: vec!["3".into()] }]),
        "a | b | c\n--|-- | ---\n1 | 2 | 3\n",
    );
    case("a | b\n--|--\n1 | 2\n", table(vec![DeleteColumn { at: 1 }]), "a \n--\n1 \n");
    case(
        "> | a |\n> |---|\n> | 1 |\n",
        table(vec![AddRow { at: Some(1), cells: vec!["0".into()] }]),
        "> | a |\n> |---|\n> | 0 |\n> | 1 |\n",
    );
    case("| a |\n|---|\n", table(vec![ToggleHeader]), "|   |\n|---|\n| a |\n");
    case("|   |\n|---|\n| a |\n", table(vec![ToggleHeader]), "| a |\n|---|\n");
    let here = |op: TableOperation| {
        move |range: Range<usize>| Edit::Table {
            table: TableAt::Place(range.start),
            operations: vec![op.clone()],
        }
    };
    on(
        "| a | b |\n|---|---|\n| 1⟦⟧ | 2 |\n",
        here(AddColumnHere { side: Side::After }),
        "| a |     | b |\n|---| --- |---|\n| 1 |     | 2 |\n",
    );
    on(
        "| a | b |\n|---|---|\n| 1⟦⟧ | 2 |\n",
        here(AddRowHere { side: Side::Before }),
        "| a | b |\n|---|---|\n|   |   |\n| 1 | 2 |\n",
    );
    on("| a | b |\n|---|---|\n| 1 | 2⟦⟧ |\n", here(DeleteColumnHere), "| a |\n|---|\n| 1 |\n");
    on(
        "x\n\n| a |\n|---|\n| 1⟦⟧ |\n\ny\n",
        |range| Edit::DeleteTable { table: TableAt::Place(range.start) },
        "x\n\ny\n",
    );
    on(
        "x⟦⟧\n",
        |range| Edit::InsertTable { at: range.start, rows: 2, columns: 2, header: Header::Row },
        "x\n\n|     |     |\n| --- | --- |\n|     |     |\n",
    );
    assert!(refused(before, table(vec![DeleteRow { at: 0 }])).contains("header row"));
    assert!(
        refused(before, table(vec![SetCell { row: 9, column: 0, content: String::new() }])).contains("to 2")
    );
}

#[test]
fn cjk_text_changes_in_prose_only() {
    let wide = Edit::CjkPunctuation { range: None, to: Width::Full };
    case(
        "你好,世界.版本1.2在10:30 `a,b` (注) http://x.cn/你,好 \\,\n",
        wide,
        "你好，世界。版本1.2在10:30 `a,b` （注） http://x.cn/你，好 \\,\n",
    );
    let half = Edit::CjkPunctuation { range: None, to: Width::Half };
    case("你好，世界。看！[链](u)\n", half, "你好,世界.看！[链](u)\n");
    let add = Edit::CjkSpacing { range: None, action: Spacing::Add };
    case("使用Rust语言和`code`块**bold**字\n", add, "使用 Rust 语言和 `code` 块 **bold** 字\n");
    let remove = Edit::CjkSpacing { range: None, action: Spacing::Remove };
    case("使用 Rust 语言 `a 中 b`\n", remove, "使用Rust语言 `a 中 b`\n");
}

#[test]
fn several_edits_speak_of_one_document() {
    let group = Edit::Group {
        edits: vec![delete("p-0"), update("p-1", "B"), insert("p-2", "D"), insert("p-2", "E")],
    };
    case("a\n\nb\n\nc\n", group, "B\n\nc\n\nD\n\nE\n");
    let clash = Edit::Group { edits: vec![update("p-0", "x"), update("p-0", "y")] };
    assert!(refused("a\n", clash).contains("edit 2 of 2 (index 1)"));
    let alone = refused("a\n", Edit::Group { edits: vec![delete("p-9")] });
    assert!(!alone.contains("of 1"), "{alone}");
}
