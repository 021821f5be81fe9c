//! `/docs`: the OpenAPI document as a page that needs nothing from outside.

use std::fmt::Write as _;

use axum::{body::Body, response::Response};
use http::{HeaderValue, header};
use serde_json::Value;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h2{margin-top:3rem;text-transform:capitalize}h3{margin-bottom:.2rem}code,pre{font:14px/1.4 ui-monospace,monospace}\
pre{background:#f4f4f4;padding:1rem;overflow:auto}.method{display:inline-block;min-width:4.5rem;font-weight:bold}\
summary{cursor:pointer}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}a{color:#8bf}}";

pub(crate) fn answer(document: &Value) -> Response {
    let mut answer = Response::new(Body::from(page(document)));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
        ),
    );
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

fn page(document: &Value) -> String {
    let title = text(&document["info"]["title"]);
    let mut page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <title>{title} API</title><style>{STYLE}</style><h1>{title} API {}</h1><p>{}</p>\
         <p>The same for programs: <a href=\"/api/v1/openapi.json\">openapi.json</a>.</p>",
        text(&document["info"]["version"]),
        text(&document["info"]["description"]),
    );
    let mut last = String::new();
    for (path, operations) in object(&document["paths"]) {
        for (method, operation) in object(operations) {
            let tag = text(&operation["tags"][0]);
            if tag != last {
                let _ = write!(page, "<h2>{tag}</h2>");
                last = tag;
            }
            write_operation(&mut page, path, method, operation);
        }
    }
    page.push_str("<h2>types</h2>");
    for (name, schema) in object(&document["components"]["schemas"]) {
        let name = escaped(name);
        let _ = write!(
            page,
            "<details id=\"{name}\"><summary><code>{name}</code></summary>{}</details>",
            json(schema)
        );
    }
    page
}

fn write_operation(page: &mut String, path: &str, method: &str, operation: &Value) {
    let _ = write!(
        page,
        "<h3 id=\"{}\"><span class=method>{}</span> <code>{}</code></h3><p>{}</p>",
        text(&operation["operationId"]),
        escaped(&method.to_ascii_uppercase()),
        escaped(path),
        text(&operation["summary"]),
    );
    if let Some(class) = operation["x-rate-limit-class"].as_str() {
        let _ = write!(page, "<p>Counts against the limit of <code>{}</code>.</p>", escaped(class));
    }
    let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !parameters.is_empty() {
        page.push_str("<table><tr><th>parameter<th>in<th>what</tr>");
        for parameter in parameters {
            let _ = write!(
                page,
                "<tr><td><code>{}</code><td>{}<td>{}</tr>",
                text(&parameter["name"]),
                text(&parameter["in"]),
                text(&parameter["description"])
            );
        }
        page.push_str("</table>");
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null() {
        let _ = write!(page, "<details><summary>body {}</summary>{}</details>", link(body), json(body));
    }
    page.push_str("<details><summary>answers</summary><table><tr><th>status<th>when<th>body</tr>");
    for (status, answer) in object(&operation["responses"]) {
        let schema =
            object(&answer["content"]).next().map_or(&Value::Null, |(_, content)| &content["schema"]);
        let _ = write!(
            page,
            "<tr><td>{}<td>{}<td>{}</tr>",
            escaped(status),
            text(&answer["description"]),
            link(schema)
        );
    }
    page.push_str("</table></details>");
}

/// A link to the type that a schema names.
fn link(schema: &Value) -> String {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()).map(escaped);
    name.map_or_else(String::new, |name| format!("<a href=\"#{name}\"><code>{name}</code></a>"))
}

fn json(value: &Value) -> String {
    format!("<pre>{}</pre>", escaped(&format!("{value:#}")))
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(String::new, escaped)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
