use super::{Layout, Server};

const JSON: Layout = Layout::Json { key: "mcpServers", typed: false };

fn server() -> Server {
    Server {
        command: "/opt/doc \"wright\"".to_owned(),
        arguments: vec!["mcp".to_owned(), "--root".to_owned(), "C:\\Users\\Zoë".to_owned()],
    }
}

/// Putting the server in and taking it out again leaves the file as it was.
#[track_caller]
fn there_and_back(layout: Layout, before: &str) -> String {
    let with = layout.with(before, &server()).expect("it can be put in");
    assert_ne!(with, before);
    assert_eq!(layout.with(&with, &server()).as_deref(), Ok(with.as_str()), "a second time changes nothing");
    let without = layout.without(&with).expect("it can be read").expect("it is there");
    assert_eq!(without, before);
    assert_eq!(layout.without(before), Ok(None), "it was not there before");
    with
}

#[test]
fn the_rest_of_json_settings_stays_to_the_byte() {
    let with = there_and_back(
        JSON,
        "{\n  // mine\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\" }, // kept\n  },\n  \"theme\" : \"dark\"\n}\n",
    );
    assert!(
        with.contains("// mine") && with.contains("// kept") && with.contains("\"theme\" : \"dark\""),
        "{with}"
    );
    there_and_back(JSON, "{\r\n\t\"a\": 1\r\n}\r\n");
    there_and_back(JSON, "\u{feff}{\n  \"a\": [1,2 ,3]\n}");
    there_and_back(JSON, "{\"mcpServers\":{\"z\":{}}}");
    there_and_back(JSON, "{}\n");
    there_and_back(JSON, "{ \"a\": 1, /* , */ }");
    there_and_back(
        JSON,
        "{\n    \"a\": {}, // b\n    // c\n    \"mcpServers\": { // d\n        \"y\": 1\n    }\n}",
    );
}

#[test]
fn what_is_written_is_what_a_parser_reads() {
    for before in ["", "{}", "{\"a\": {}}", "{\n    \"mcpServers\": {}\n}"] {
        let with = JSON.with(before, &server()).expect("it can be put in");
        let read: serde_json::Value = serde_json::from_str(&with).expect("plain JSON");
        let entry = &read["mcpServers"]["docwright"];
        assert_eq!(entry["command"], "/opt/doc \"wright\"", "{with}");
        assert_eq!(entry["args"][2], "C:\\Users\\Zoë", "{with}");
    }
}

#[test]
fn an_earlier_entry_is_replaced() {
    let before = "{ \"servers\": { \"docwright\": { \"command\": \"old\", \"env\": {} }, \"b\": 1 } }";
    let layout = Layout::Json { key: "servers", typed: true };
    let with = layout.with(before, &server()).expect("it can be put in");
    let read: serde_json::Value = serde_json::from_str(&with).expect("plain JSON");
    assert_eq!(read["servers"]["docwright"]["type"], "stdio");
    assert_eq!(read["servers"]["docwright"]["env"], serde_json::Value::Null);
    assert_eq!(read["servers"]["b"], 1);
}

#[test]
fn settings_that_cannot_be_read_are_left_alone() {
    for broken in ["{ \"mcpServers\": ", "[]", "{ \"mcpServers\": [] }", "nonsense"] {
        assert!(JSON.with(broken, &server()).is_err(), "{broken}");
    }
    for broken in ["[mcp_servers", "mcp_servers = 3"] {
        assert!(Layout::Toml.with(broken, &server()).is_err(), "{broken}");
    }
}

#[test]
fn toml_settings_keep_their_comments() {
    let before = "# mine\nmodel = \"x\" # kept\n\n[mcp_servers.other]\ncommand = 'y'\n";
    let with = there_and_back(Layout::Toml, before);
    assert!(with.contains("[mcp_servers.docwright]") && !with.contains("[mcp_servers]\n"), "{with}");
    there_and_back(Layout::Toml, "model = \"x\"\n");
    there_and_back(Layout::Toml, "");
}

/// Somebody sorted the entries: ours is the last one, or stands among comments.
#[test]
fn an_entry_is_taken_out_wherever_it_stands() {
    for (before, after) in [
        ("{\"mcpServers\": {\"a\": 1, \"docwright\": {}}}", "{\"mcpServers\": {\"a\": 1}}"),
        (
            "{\n\"mcpServers\": {\n  \"a\": 1, // note, with a comma\n  \"docwright\": {}\n}}",
            "{\n\"mcpServers\": {\n  \"a\": 1 // note, with a comma\n}}",
        ),
        (
            "{\n\"mcpServers\": {\n  \"a\": 1, // note\n  \"docwright\": {} }}",
            "{\n\"mcpServers\": {\n  \"a\": 1 // note\n   }}",
        ),
        (
            "{\"mcpServers\": {\n  // ours\n  \"docwright\": {},\n  \"b\": 2\n}}",
            "{\"mcpServers\": {\n  // ours\n  \"b\": 2\n}}",
        ),
        ("{\"a\": 1, \"mcpServers\": {\"docwright\": {}}}", "{\"a\": 1}"),
        (
            "{\"mcpServers\": { /* mine */ \"docwright\": {} }, \"a\": 1}",
            "{\"mcpServers\": { /* mine */  }, \"a\": 1}",
        ),
    ] {
        assert_eq!(JSON.without(before).as_ref().map(Option::as_deref), Ok(Some(after)));
    }
}
