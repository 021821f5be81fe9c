//! The OpenAPI document, made from the list of routes and the types of their bodies and answers.
//!
//! `schemars` writes the schemas, which the tools have from it already; another generator would ask for a second set of
//! derives and a description of each route beside the route itself.

use std::collections::BTreeMap;

use http::Method;
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{
    PREFIX,
    error::Refusal,
    route::{Class, Route, Who},
};

pub(crate) fn document(routes: &[Route]) -> Value {
    let mut into = settings(true);
    let mut out = settings(false);
    let error = out.subschema_for::<Refusal>();
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for route in routes {
        let operation = operation(route, &mut into, &mut out, &json!(error));
        let method = route.method.as_str().to_ascii_lowercase();
        paths.entry(format!("{PREFIX}{}", route.template())).or_default().insert(method, operation);
    }
    let mut schemas = into.take_definitions(true);
    schemas.extend(out.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Docwright",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Sessions, tools, chat and documents: Word, Excel and Markdown files of this machine.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "session": {
                    "type": "http", "scheme": "bearer",
                    "description": "The session_token that session/create answered.",
                },
                "key": { "type": "http", "scheme": "bearer", "description": "The server's access key, if it has one." },
            },
            "headers": limit_headers(),
        },
    })
}

fn settings(takes: bool) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let settings = if takes { settings.for_deserialize() } else { settings.for_serialize() };
    settings.into_generator()
}

fn operation(route: &Route, into: &mut SchemaGenerator, out: &mut SchemaGenerator, error: &Value) -> Value {
    let mut operation = json!({
        "operationId": operation_id(route),
        "tags": [tag(route)],
        "summary": route.about,
        "parameters": parameters(route),
        "responses": responses(route, out, error),
        "security": match route.who {
            Who::Anyone => json!([]),
            Who::Beginner => json!([{}, {"key": []}]),
            Who::Session => json!([{"session": []}]),
            Who::Listener => json!([{}, {"session": []}]),
            Who::Onlooker => json!([{"session": []}, {"key": []}]),
        },
    });
    operation["x-rate-limit-class"] = json!(route.class.name());
    if let Some(schema) = route.takes {
        let schema = schema(into);
        operation["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
    operation
}

fn parameters(route: &Route) -> Vec<Value> {
    let template = route.template();
    let parts = template.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = parts.map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
    });
    let behind = route.query.iter().map(|parameter| {
        let schema = match parameter.kind {
            "integer" => json!({ "type": "integer", "minimum": 0 }),
            kind => json!({ "type": kind }),
        };
        json!({ "name": parameter.name, "in": "query", "required": false, "description": parameter.about, "schema": schema })
    });
    let mut all: Vec<Value> = in_path.chain(behind).collect();
    for name in route.headers {
        all.push(json!({ "name": name, "in": "header", "required": false, "schema": { "type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$" } }));
    }
    all
}

fn responses(route: &Route, out: &mut SchemaGenerator, error: &Value) -> Value {
    let media = if route.streams { "text/event-stream" } else { "application/json" };
    let schema = match route.gives {
        Some(schema) => json!(schema(out)),
        None => json!({ "type": if route.streams { "string" } else { "object" } }),
    };
    let headers = json!({
        "X-RateLimit-Limit": {"$ref": "#/components/headers/limit"},
        "X-RateLimit-Remaining": {"$ref": "#/components/headers/remaining"},
        "X-RateLimit-Reset": {"$ref": "#/components/headers/reset"},
    });
    let good =
        json!({ "description": "As asked.", "headers": headers, "content": { media: { "schema": schema } } });
    let mut responses = Map::new();
    responses.insert("200".to_owned(), good.clone());
    for (status, about) in route.also {
        let content = json!({ "description": about, "headers": headers });
        responses.insert(status.to_string(), content);
    }
    for (status, about) in refusals(route) {
        let refused = json!({ "description": about, "headers": headers, "content": { "application/json": { "schema": error } } });
        responses.entry(status.to_string()).or_insert(refused);
    }
    if route.path.starts_with("/health") {
        responses.insert("503".to_owned(), good);
    }
    Value::Object(responses)
}

fn refusals(route: &Route) -> Vec<(u16, &'static str)> {
    let mut all = vec![
        (400, "The request is not understood, or asks for what cannot be."),
        (403, "Host, Origin or the rights of the session do not allow it."),
        (404, "What is named does not exist, or is another's."),
        (408, "The body took too long."),
        (413, "The body is too large."),
        (414, "The address is too long."),
        (429, "Too many requests of this kind in a minute; Retry-After says when there is room."),
        (431, "The head is too large."),
        (500, "The server failed."),
        (503, "There is no room just now."),
    ];
    if route.who != Who::Anyone {
        all.push((401, "The token is missing, unknown or expired."));
    }
    if route.takes.is_some() {
        all.push((415, "The body is not application/json."));
    }
    if matches!(route.class, Class::Document | Class::Chat) || route.method == Method::POST {
        all.push((409, "The document or the run is not as the request takes it to be."));
    }
    if matches!(route.class, Class::Chat | Class::Mcp | Class::Execute | Class::Begin) {
        all.push((502, "An MCP server or the model failed."));
    }
    all
}

/// `get_document_context`: the method and the parts of the path that stay.
fn operation_id(route: &Route) -> String {
    let parts = route.path.split('/').filter(|part| !part.is_empty() && !part.starts_with('{'));
    let path: Vec<String> = parts.map(|part| part.replace('-', "_")).collect();
    format!("{}_{}", route.method.as_str().to_ascii_lowercase(), path.join("_"))
}

/// The first part of the path.
fn tag(route: &Route) -> &str {
    let first = route.path.split('/').find(|part| !part.is_empty()).unwrap_or("api");
    if first == "sessions" { "session" } else { first }
}

fn limit_headers() -> Value {
    let header = |about: &str| json!({ "description": about, "schema": { "type": "integer" } });
    json!({
        "limit": header("Requests of this kind in any 60 seconds."),
        "remaining": header("How many of them are left."),
        "reset": header("When there is more room, in seconds since 1970-01-01 UTC."),
    })
}
