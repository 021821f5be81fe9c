//! The server that the protocol's conformance suite expects: tools, prompts and resources with fixed names.
//!
//! It has nothing to do with documents. What is tested is our transport, on which it is mounted exactly as
//! the real server is. `conformance 127.0.0.1:0` prints the address it listens on.

#![expect(deprecated, reason = "the older revisions under test have logging, sampling and subscriptions")]

use std::{sync::Arc, time::Duration};

use gateway::{Config, Gateway};
use mcp::http::{Endpoint, Options};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientResult,
        CompleteRequestParams, CompleteResult, CreateMessageRequestParams, ElicitRequest,
        ElicitRequestParams, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
        InputRequiredResult, InputResponses, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, LoggingMessageNotificationParam, PaginatedRequestParams,
        ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, ServerCapabilities, ServerConfig, ServerRequest, SetLevelRequestParams,
        SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::broadcast;

const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==";

#[derive(Clone, Copy)]
enum Change {
    Tools,
    Prompts,
}

struct Fixture {
    changes: Arc<broadcast::Sender<Change>>,
}

/// A value of the SDK's from the JSON that the suite describes it by.
fn made<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn text(text: impl Into<String>) -> Result<CallToolResponse, ErrorData> {
    content(json!([{"type": "text", "text": text.into()}]))
}

fn content(content: Value) -> Result<CallToolResponse, ErrorData> {
    made::<CallToolResult>(json!({"resultType": "complete", "content": content}))
        .map(CallToolResponse::Complete)
}

fn ask(requests: Value, state: Option<&str>) -> Result<InputRequiredResult, ErrorData> {
    let mut result = json!({"resultType": "input_required", "inputRequests": requests});
    if let Some(state) = state {
        result["requestState"] = json!(signed(state));
    }
    made(result)
}

fn elicit(message: &str, name: &str, kind: &str) -> Value {
    json!({"method": "elicitation/create", "params": {"message": message, "mode": "form", "requestedSchema":
        {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}}})
}

fn sample(question: &str) -> Value {
    json!({"method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": question}}], "maxTokens": 100}})
}

fn signed(state: &str) -> String {
    format!("{state}.{}", blake3::keyed_hash(&[7; 32], state.as_bytes()).to_hex())
}

fn verified(state: Option<&String>) -> Result<String, ErrorData> {
    let state = state.ok_or_else(|| ErrorData::invalid_params("requestState is missing", None))?;
    match state.split_once('.') {
        Some((plain, _)) if signed(plain) == *state => Ok(plain.to_owned()),
        _ => Err(ErrorData::invalid_params("requestState was tampered with", None)),
    }
}

fn answered<'a>(responses: Option<&'a InputResponses>, key: &str, field: &str) -> Option<&'a Value> {
    responses?.get(key)?.get("content")?.get(field)
}

fn listed(name: &str) -> Result<Tool, ErrorData> {
    let schema = match name {
        "test_sampling" => {
            json!({"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]})
        }
        "test_elicitation" => {
            json!({"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]})
        }
        "test_custom_header" => {
            json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})
        }
        "json_schema_2020_12_tool" => json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
            "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}, "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": {"type": "string"}, "email": {"type": "string"}},
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": false,
        }),
        _ => json!({"type": "object", "properties": {}}),
    };
    made(json!({"name": name, "description": format!("Fixture {name}"), "inputSchema": schema}))
}

const TOOLS: &[&str] = &[
    "json_schema_2020_12_tool",
    "test_audio_content",
    "test_custom_header",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_embedded_resource",
    "test_error_handling",
    "test_image_content",
    "test_input_required_result_capabilities",
    "test_input_required_result_elicitation",
    "test_input_required_result_list_roots",
    "test_input_required_result_multi_round",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_request_state",
    "test_input_required_result_sampling",
    "test_input_required_result_tampered_state",
    "test_logging_tool",
    "test_missing_capability",
    "test_multiple_content_types",
    "test_sampling",
    "test_simple_text",
    "test_streaming_elicitation",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_trigger_prompt_change",
    "test_trigger_tool_change",
];

impl Fixture {
    async fn log(&self, context: &RequestContext<RoleServer>, message: &str) -> Result<(), ErrorData> {
        let note: LoggingMessageNotificationParam = made(json!({"level": "info", "data": message}))?;
        let _ = context.peer.notify_logging_message(note).await;
        Ok(())
    }

    async fn elicit(
        &self,
        context: &RequestContext<RoleServer>,
        params: Value,
    ) -> Result<(String, Value), ErrorData> {
        let params: ElicitRequestParams = made(params)?;
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
        let answer = match context.peer.send_request(request).await {
            Ok(ClientResult::ElicitResult(answer)) => answer,
            Ok(_) => return Err(ErrorData::internal_error("not an answer to an elicitation", None)),
            Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
        };
        let action = serde_json::to_value(&answer.action).unwrap_or_default();
        Ok((action.as_str().unwrap_or_default().to_owned(), answer.content.unwrap_or_default()))
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_completions()
            .enable_logging()
            .build();
        ServerConfig::new(capabilities)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_server_info(Implementation::new("docwright-conformance", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Result<Vec<Tool>, ErrorData> = TOOLS.iter().map(|name| listed(name)).collect();
        Ok(ListToolsResult::with_all_items(tools?))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        TOOLS.contains(&name).then(|| listed(name).ok()).flatten()
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let argument = |name: &str| {
            let value = params.arguments.as_ref().and_then(|arguments| arguments.get(name));
            value.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let responses = params.input_responses.as_ref();
        let pause = || tokio::time::sleep(Duration::from_millis(50));
        let embedded = json!({"type": "resource", "resource": {"uri": "test://embedded-resource",
            "mimeType": "text/plain", "text": "This is an embedded resource content."}});
        let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
        match params.name.as_ref() {
            "test_simple_text" => text("This is a simple text response for testing."),
            "test_image_content" => content(json!([image])),
            "test_audio_content" => content(json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}])),
            "test_embedded_resource" => content(json!([embedded])),
            "test_multiple_content_types" => content(json!([
                {"type": "text", "text": "Multiple content types test:"},
                image,
                {"type": "resource", "resource": {"uri": "test://mixed-content-resource",
                    "mimeType": "application/json", "text": r#"{"test":"data","value":123}"#}},
            ])),
            "test_error_handling" => {
                made::<CallToolResult>(json!({"resultType": "complete", "isError": true, "content":
                [{"type": "text", "text": "This tool intentionally returns an error for testing"}]}))
                .map(CallToolResponse::Complete)
            }
            "test_tool_with_logging" => {
                for message in ["Tool execution started", "Tool processing data", "Tool execution completed"]
                {
                    self.log(&context, message).await?;
                    pause().await;
                }
                text("Logged three messages.")
            }
            // In the stateless revision a request that did not ask for log messages gets none.
            "test_logging_tool" => text("Logged nothing."),
            "test_tool_with_progress" => {
                for done in [0.0, 50.0, 100.0] {
                    if let Some(token) = context.meta.get_progress_token() {
                        let mut report = ProgressNotificationParam::new(token, done);
                        report.total = Some(100.0);
                        let _ = context.peer.notify_progress(report).await;
                    }
                    pause().await;
                }
                text("Done.")
            }
            "test_sampling" => {
                let sampling = sample(&argument("prompt"))["params"].clone();
                let request: CreateMessageRequestParams = made(sampling)?;
                match context.peer.create_message(request).await {
                    Ok(answer) => {
                        let answer = serde_json::to_value(&answer).unwrap_or_default();
                        text(format!(
                            "LLM response: {}",
                            answer["content"]["text"].as_str().unwrap_or_default()
                        ))
                    }
                    Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
                }
            }
            "test_elicitation" => {
                let schema = json!({"type": "object", "required": ["username", "email"], "properties": {
                    "username": {"type": "string", "description": "User's response"},
                    "email": {"type": "string", "description": "User's email address"}}});
                let params =
                    json!({"mode": "form", "message": argument("message"), "requestedSchema": schema});
                let (action, content) = self.elicit(&context, params).await?;
                text(format!("User response: action: {action}, content: {content}"))
            }
            "test_elicitation_sep1034_defaults" => {
                let schema = json!({"type": "object", "properties": {
                    "name": {"type": "string", "default": "John Doe"},
                    "age": {"type": "integer", "default": 30},
                    "score": {"type": "number", "default": 95.5},
                    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
                    "verified": {"type": "boolean", "default": true}}});
                let params = json!({"mode": "form", "message": "Please check", "requestedSchema": schema});
                let (action, content) = self.elicit(&context, params).await?;
                text(format!("Elicitation completed: action={action}, content={content}"))
            }
            "test_elicitation_sep1330_enums" => {
                let titled = json!([{"const": "value1", "title": "First Option"},
                    {"const": "value2", "title": "Second Option"}, {"const": "value3", "title": "Third Option"}]);
                let schema = json!({"type": "object", "properties": {
                    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
                    "titledSingle": {"type": "string", "oneOf": titled},
                    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                        "enumNames": ["Option One", "Option Two", "Option Three"]},
                    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
                    "titledMulti": {"type": "array", "items": {"anyOf": titled}}}});
                let params = json!({"mode": "form", "message": "Please choose", "requestedSchema": schema});
                let (action, content) = self.elicit(&context, params).await?;
                text(format!("Elicitation completed: action={action}, content={content}"))
            }
            "test_missing_capability" => {
                let declared = context.client_capabilities().is_some_and(|known| known.sampling.is_some());
                if declared {
                    return text("Sampling is there.");
                }
                let needed: ClientCapabilities = made(json!({"sampling": {}}))?;
                Err(ErrorData::missing_required_client_capability(needed))
            }
            "test_streaming_elicitation" | "test_input_required_result_elicitation" => {
                match answered(responses, "user_name", "name").and_then(Value::as_str) {
                    Some(name) => text(format!("Hello, {name}!")),
                    None => {
                        Ok(ask(json!({"user_name": elicit("What is your name?", "name", "string")}), None)?
                            .into())
                    }
                }
            }
            "test_input_required_result_sampling" => {
                match responses.and_then(|all| all.get("capital_question")) {
                    Some(answer) => text(format!("Sampled: {}", answer["content"]["text"])),
                    None => {
                        Ok(ask(json!({"capital_question": sample("What is the capital of France?")}), None)?
                            .into())
                    }
                }
            }
            "test_input_required_result_list_roots" => {
                match responses.and_then(|all| all.get("client_roots")) {
                    Some(answer) => text(format!("Roots: {}", answer["roots"])),
                    None => {
                        Ok(ask(json!({"client_roots": {"method": "roots/list", "params": {}}}), None)?.into())
                    }
                }
            }
            "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => {
                if responses.is_none() {
                    return Ok(ask(
                        json!({"confirm": elicit("Please confirm", "ok", "boolean")}),
                        Some("one"),
                    )?
                    .into());
                }
                verified(params.request_state.as_ref())?;
                text("state-ok")
            }
            "test_input_required_result_multiple_inputs" => {
                if responses.is_some_and(|all| {
                    ["user_name", "greeting", "client_roots"].iter().all(|key| all.contains_key(*key))
                }) {
                    verified(params.request_state.as_ref())?;
                    return text("All inputs are there.");
                }
                let requests = json!({"user_name": elicit("What is your name?", "name", "string"),
                    "greeting": sample("Generate a greeting"), "client_roots": {"method": "roots/list", "params": {}}});
                Ok(ask(requests, Some("several"))?.into())
            }
            "test_input_required_result_multi_round" => {
                let step1 = elicit("Step 1: What is your name?", "name", "string");
                if responses.is_none() {
                    return Ok(ask(json!({"step1": step1}), Some("round-1"))?.into());
                }
                match verified(params.request_state.as_ref())?.as_str() {
                    "round-1" if answered(responses, "step1", "name").is_some() => {
                        let step2 = elicit("Step 2: What is your favorite color?", "color", "string");
                        Ok(ask(json!({"step2": step2}), Some("round-2"))?.into())
                    }
                    "round-2" if answered(responses, "step2", "color").is_some() => {
                        text("Both steps are done.")
                    }
                    _ => Ok(ask(json!({"step1": step1}), Some("round-1"))?.into()),
                }
            }
            "test_input_required_result_capabilities" => {
                let known = context.client_capabilities().unwrap_or_default();
                let mut requests = json!({});
                if known.sampling.is_some() {
                    requests["question"] = sample("What is the capital of France?");
                }
                if known.elicitation.is_some() {
                    requests["user_name"] = elicit("What is your name?", "name", "string");
                }
                Ok(ask(requests, None)?.into())
            }
            "test_trigger_tool_change" => {
                let _ = self.changes.send(Change::Tools);
                text("Tools changed.")
            }
            "test_trigger_prompt_change" => {
                let _ = self.changes.send(Change::Prompts);
                text("Prompts changed.")
            }
            known if TOOLS.contains(&known) => text(format!("Called {known}.")),
            unknown => Err(ErrorData::invalid_params(format!("Unknown tool: {unknown}"), None)),
        }
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let argument = |name: &str| json!({"name": name, "description": "A test argument", "required": true});
        Ok(ListPromptsResult::with_all_items(made(json!([
            {"name": "test_simple_prompt", "description": "Without arguments"},
            {"name": "test_prompt_with_arguments", "description": "With arguments", "arguments": [argument("arg1"), argument("arg2")]},
            {"name": "test_prompt_with_embedded_resource", "description": "With a resource", "arguments": [argument("resourceUri")]},
            {"name": "test_prompt_with_image", "description": "With an image"},
            {"name": "test_input_required_result_prompt", "description": "Asks back"},
        ]))?))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let argument = |name: &str| {
            let value = params.arguments.as_ref().and_then(|arguments| arguments.get(name));
            value.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let says = |text: String| json!({"role": "user", "content": {"type": "text", "text": text}});
        let messages = match params.name.as_str() {
            "test_simple_prompt" => json!([says("This is a simple prompt for testing.".to_owned())]),
            "test_prompt_with_arguments" => {
                json!([says(format!(
                    "Prompt with arguments: arg1='{}', arg2='{}'",
                    argument("arg1"),
                    argument("arg2")
                ))])
            }
            "test_prompt_with_embedded_resource" => json!([
                {"role": "user", "content": {"type": "resource", "resource": {"uri": argument("resourceUri"),
                    "mimeType": "text/plain", "text": "Embedded resource content for testing."}}},
                says("Please process the embedded resource above.".to_owned()),
            ]),
            "test_prompt_with_image" => json!([
                {"role": "user", "content": {"type": "image", "data": PNG, "mimeType": "image/png"}},
                says("Please analyze the image above.".to_owned()),
            ]),
            "test_input_required_result_prompt" => {
                match answered(params.input_responses.as_ref(), "user_context", "context")
                    .and_then(Value::as_str)
                {
                    Some(given) => json!([says(format!("Use this context: {given}"))]),
                    None => {
                        let question = elicit("What context should the prompt use?", "context", "string");
                        return Ok(ask(json!({"user_context": question}), None)?.into());
                    }
                }
            }
            unknown => return Err(ErrorData::invalid_params(format!("Unknown prompt: {unknown}"), None)),
        };
        Ok(made::<GetPromptResult>(json!({"resultType": "complete", "messages": messages}))?.into())
    }

    async fn complete(
        &self,
        _params: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        made(
            json!({"resultType": "complete", "completion": {"values": ["paris", "park", "party"], "total": 3, "hasMore": false}}),
        )
    }

    async fn set_level(
        &self,
        _params: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(made(json!([
            {"uri": "test://static-text", "name": "static-text", "description": "Text", "mimeType": "text/plain"},
            {"uri": "test://static-binary", "name": "static-binary", "description": "A picture", "mimeType": "image/png"},
            {"uri": "test://watched-resource", "name": "watched-resource", "description": "Watched", "mimeType": "text/plain"},
        ]))?))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(made(json!([
            {"uriTemplate": "test://template/{id}/data", "name": "template", "description": "A template", "mimeType": "application/json"},
        ]))?))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = params.uri.as_str();
        let contents = match uri {
            "test://static-text" => {
                json!({"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."})
            }
            "test://static-binary" => json!({"uri": uri, "mimeType": "image/png", "blob": PNG}),
            "test://watched-resource" => json!({"uri": uri, "mimeType": "text/plain", "text": "Watched."}),
            _ => match uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data")) {
                Some(id) => {
                    let text = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")})
                        .to_string();
                    json!({"uri": uri, "mimeType": "application/json", "text": text})
                }
                None => {
                    return Err(ErrorData::resource_not_found(
                        "Resource not found",
                        Some(json!({"uri": uri})),
                    ));
                }
            },
        };
        Ok(ReadResourceResult::new(vec![made(contents)?]).into())
    }

    async fn subscribe(
        &self,
        _params: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _params: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.changes.subscribe();
        loop {
            let change = tokio::select! {
                () = context.cancelled() => return Ok(()),
                change = changes.recv() => change,
            };
            // A change that was not subscribed to is refused by the sink, which is what is wanted.
            let _ = match change {
                Ok(Change::Tools) => context.sink().notify_tool_list_changed().await,
                Ok(Change::Prompts) => context.sink().notify_prompt_list_changed().await,
                Err(_) => return Ok(()),
            };
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listen = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned()).parse()?;
    let changes = Arc::new(broadcast::Sender::new(16));
    let endpoint = Endpoint::serving(move || Fixture { changes: changes.clone() }, Options::default());
    let gateway = Gateway::bind(Config::new(listen), endpoint, None).await?;
    #[expect(clippy::print_stdout, reason = "whoever started it reads the address here")]
    {
        println!("http://{}/mcp", gateway.address());
    }
    gateway.run(std::future::pending()).await?;
    Ok(())
}
