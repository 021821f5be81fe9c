//! Pictures on sheets, and pictures of sheets.

use serde_json::json;

use super::budget;

/// A white dot.
const GIF: &str = "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==";

#[test]
fn a_picture_has_two_corners_and_offsets() {
    let book = budget();
    let corners = json!({
        "from": { "cell": "G2", "xOffsetPts": 4.5, "yOffsetPts": 2.0 },
        "to": { "cell": "H5", "xOffsetPts": 10.0, "yOffsetPts": 0.0 },
    });
    let made = book.call(
        "addImage",
        json!(["Model", { "name": "Logo", "position": corners, "source": { "base64": GIF }, "altText": "a dot" }]),
    );
    assert_eq!(
        (&made["position"], &made["altText"], &made["format"]),
        (&corners, &json!("a dot"), &json!("gif"))
    );
    let url = format!("data:image/gif;base64,{GIF}");
    let at = json!({ "from": { "cell": "G9" } });
    let small = book.call("addImage", json!(["Model", { "position": at, "source": url }]));
    assert_eq!(small["position"]["to"], json!(null));
    let book = book.saved();
    assert_eq!(book.call("listImages", json!([])), json!([made, small]));
    assert_eq!(book.call("getImage", json!(["Model", { "id": made["id"] }])), made);
    let moved = book.call(
        "setImage",
        json!(["Model", { "name": "Logo" }, { "position": { "from": { "cell": "B2", "xOffsetPts": 1 },
            "to": { "cell": "C4", "yOffsetPts": 3 } } }]),
    );
    assert_eq!(moved["position"]["from"], json!({ "cell": "B2", "xOffsetPts": 1.0, "yOffsetPts": 0.0 }));
    assert_eq!(moved["position"]["to"], json!({ "cell": "C4", "xOffsetPts": 0.0, "yOffsetPts": 3.0 }));
    book.call("deleteImage", json!(["Model", { "name": "Logo" }]));
    let book = book.saved();
    assert_eq!(book.call("listImages", json!([{ "sheet": "Model" }])).as_array().map(Vec::len), Some(1));
    book.refused("getImage", json!(["Model", { "name": "Logo" }]), "NOT_FOUND", "pictures: ");
    book.refused("getImage", json!(["Model", {}]), "INVALID_ARGUMENT", "`name` or `id`");
    book.refused(
        "addImage",
        json!(["Model", { "position": at, "source": "AAAA" }]),
        "INVALID_ARGUMENT",
        "addImage",
    );
}

#[test]
fn a_picture_is_described_and_exchanged_where_it_lies() {
    let book = budget();
    let at = json!({ "from": { "cell": "G2", "xOffsetPts": 0.0, "yOffsetPts": 0.0 } });
    book.call(
        "addImage",
        json!(["Model", { "name": "Logo", "position": at, "source": GIF, "altText": "a dot", "altTextTitle": "Dot" }]),
    );
    let book = book.saved();
    let told = book.call(
        "setImage",
        json!(["Model", { "name": "Logo" }, { "altText": "red & round", "altTextTitle": "" }]),
    );
    assert_eq!(
        (&told["altText"], &told["altTextTitle"], &told["position"]),
        (&json!("red & round"), &json!(null), &at)
    );
    let named = book.call(
        "setImage",
        json!(["Model", { "name": "Logo" }, { "name": "Mark", "preserveAspectRatio": false }]),
    );
    assert_eq!(named["name"], "Mark");
    let other = book.call(
        "setImage",
        json!(["Model", { "name": "Mark" }, { "source": format!("data:image/gif;base64,{GIF}") }]),
    );
    assert_eq!(
        (&other["name"], &other["altText"], &other["position"]),
        (&json!("Mark"), &json!("red & round"), &at)
    );
    let book = book.saved();
    assert_eq!(book.call("listImages", json!([])), json!([other]));
    let corners = json!({ "from": { "cell": "B2", "xOffsetPts": 0.0, "yOffsetPts": 0.0 },
        "to": { "cell": "D6", "xOffsetPts": 3.0, "yOffsetPts": 0.0 } });
    let stretched = book.call("setImage", json!(["Model", { "name": "Mark" }, { "position": corners }]));
    assert_eq!(stretched["position"], corners);
    let book = book.saved();
    assert_eq!(book.call("listImages", json!([])), json!([stretched]));
    book.refused(
        "setImage",
        json!(["Model", { "name": "Mark" }, {}]),
        "INVALID_ARGUMENT",
        "nothing is to change",
    );
}

#[test]
fn what_was_done_can_be_seen() {
    let book = budget();
    book.call(
        "addChart",
        json!(["Model", { "name": "Plan", "range": "Model!A1:D4", "type": "line",
            "position": { "from": { "cell": "G2" }, "to": { "cell": "M16" } } }]),
    );
    let cells = book.call("previewStyles", json!(["Model!A1:E4"]));
    assert_eq!(cells["what"], "Model!A1:E4");
    let chart = book.call("previewChart", json!(["Model", "Plan", { "dpr": 2, "zoom": 0.5 }]));
    assert!(chart["width"].as_u64().is_some_and(|width| width > 100), "{chart}");
    let previews = book.host.borrow().previews.clone();
    assert_eq!(previews.len(), 2);
    assert!(previews.iter().all(|preview| preview.base64.starts_with("iVBORw0KGgo")));
    book.refused("previewChart", json!(["Model", "Plam"]), "NOT_FOUND", "Plan");
    book.refused("previewStyles", json!(["Model!A1:ZZ9999"]), "RANGE_TOO_LARGE", "10000");
    for _ in 0..6 {
        book.call("previewStyles", json!(["Model!A1:B2"]));
    }
    book.refused("previewStyles", json!(["Model!A1:B2"]), "LIMIT_EXCEEDED", "at most 8");
}
