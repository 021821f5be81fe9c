//! The JavaScript engine: one script, from its text to its result or to where it went wrong.
//!
//! What a script calls is somebody else's ([`Host`](crate::host::Host)); here are the wrapper around its code, the loop
//! over its promises, and the limits that it cannot catch.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use edit::OrEmpty;
use rquickjs::context::EvalOptions;
use rquickjs::promise::PromiseState;
use rquickjs::{Array, CatchResultExt, Context, Ctx, Function, Object, Persistent, Promise, Runtime, Value};

use crate::functions;
use crate::host::Host;
use crate::wire::{ErrorKind, ScriptError};

/// Of objects and texts of the script; edits are counted by the host.
const HEAP: usize = 256 << 20;
const STACK: usize = 1 << 20;
/// The most bytes of a result as JSON.
const MOST_RESULT: usize = 80_000;
/// The most bytes of what is printed, as JSON; what is beyond would leave no room for the result.
const MOST_PRINTED: usize = 60_000;

const FILE: &str = "script.js";
const PRELUDE: &str = include_str!("prelude.js");

/// What was printed, up to a limit.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) truncated: bool,
    chars: usize,
    most: usize,
    /// As JSON writes it.
    bytes: usize,
}

impl Printed {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    fn add(&mut self, text: &str) {
        for letter in text.chars() {
            self.bytes += match letter {
                '"' | '\\' | '\n' | '\r' | '\t' => 2,
                other if other < ' ' => 6,
                other => other.len_utf8(),
            };
            if self.chars == self.most || self.bytes > MOST_PRINTED {
                self.truncated = true;
                self.most = self.chars;
                return;
            }
            self.text.push(letter);
            self.chars += 1;
        }
    }
}

/// An engine that is ready for a script; making it takes longer than running a short one.
pub(crate) struct Engine {
    runtime: Runtime,
    context: Context,
    /// Of the script that runs: is told of promises that were rejected, and of those that somebody waited for after all.
    rejections: Rc<RefCell<Option<Persistent<Function<'static>>>>>,
}

impl Engine {
    pub(crate) fn new() -> rquickjs::Result<Self> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(HEAP);
        runtime.set_max_stack_size(STACK);
        let context = Context::full(&runtime)?;
        let rejections: Rc<RefCell<Option<Persistent<Function<'static>>>>> = Rc::default();
        let told = Rc::clone(&rejections);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(move |ctx, promise, reason, handled| {
            let Some(reject) = told.borrow().clone() else { return };
            // Where memory or time is over, that is what the script is told of.
            let _ = reject
                .restore(&ctx)
                .and_then(|reject| reject.call::<_, Value<'_>>((promise, reason, handled)));
        })));
        Ok(Self { runtime, context, rejections })
    }

    /// Run a script; answers its result as JSON.
    pub(crate) fn run(
        &self,
        code: &str,
        input: &str,
        host: &Rc<RefCell<Host>>,
        printed: &Rc<RefCell<Printed>>,
        deadline: Instant,
    ) -> Result<String, ScriptError> {
        let watched = Rc::clone(host);
        self.runtime.set_interrupt_handler(Some(Box::new(move || {
            // A host that is busy is not looked at: it ends by its own clock.
            Instant::now() > deadline || watched.try_borrow().is_ok_and(|host| host.limit_hit.is_some())
        })));
        let ran = self.context.with(|ctx| {
            let throws_null = throws_null(code);
            let running = Running { ctx: &ctx, host, rejections: &self.rejections, deadline, throws_null };
            running.run(code, input, printed)
        });
        // It belongs to the context and must not outlive it.
        self.rejections.borrow_mut().take();
        let limit = host.borrow().limit_hit.clone();
        match (ran, limit) {
            (_, Some(limit)) => Err(limit),
            (ran, None)
                if Instant::now() > deadline
                    && !matches!(&ran, Err(error) if error.kind == ErrorKind::Syntax) =>
            {
                Err(timeout())
            }
            (ran, None) => ran,
        }
    }
}

struct Running<'a, 'js> {
    ctx: &'a Ctx<'js>,
    host: &'a Rc<RefCell<Host>>,
    rejections: &'a RefCell<Option<Persistent<Function<'static>>>>,
    deadline: Instant,
    /// The script itself says that it throws null.
    throws_null: bool,
}

impl<'js> Running<'_, 'js> {
    fn run(&self, code: &str, input: &str, printed: &Rc<RefCell<Printed>>) -> Result<String, ScriptError> {
        let broken = |_| internal("the engine could not be prepared");
        let ctx = self.ctx;
        let host = Rc::clone(self.host);
        let call = Function::new(ctx.clone(), move |name: String, arguments: String| {
            functions::call(&host, &name, &arguments)
        });
        let printed = Rc::clone(printed);
        let print = Function::new(ctx.clone(), move |text: String| printed.borrow_mut().add(&text));
        let names = Array::new(ctx.clone()).map_err(broken)?;
        for (index, name) in functions::names().enumerate() {
            names.set(index, name).map_err(broken)?;
        }
        let prelude: Function<'js> = self.eval(PRELUDE, "prelude.js").map_err(broken)?;
        let tools: Object<'js> =
            prelude.call((call.map_err(broken)?, print.map_err(broken)?, names, input)).map_err(broken)?;

        let reject: Function<'js> = tools.get("reject").map_err(broken)?;
        *self.rejections.borrow_mut() = Some(Persistent::save(ctx, reject));

        let source = format!("async function __script() {{\"use strict\";\n{code}\n}}");
        if let Err(error) = self.eval::<Value<'js>>(&source, FILE).catch(ctx) {
            return Err(syntax(&error, code));
        }
        let whole: Function<'js> = tools.get("whole").map_err(broken)?;
        if !whole.call::<_, bool>((source.as_str(),)).map_err(broken)? {
            return Err(error(
                ErrorKind::Syntax,
                "EXEC_SYNTAX_ERROR",
                "a bracket closes what was never opened",
            ));
        }
        let main: Function<'js> = ctx.globals().get("__script").map_err(broken)?;
        let promise: Promise<'js> = match main.call(()) {
            Ok(promise) => promise,
            Err(_) => return Err(self.thrown(&tools, ctx.catch())),
        };
        while promise.state() == PromiseState::Pending && Instant::now() <= self.deadline {
            if !ctx.execute_pending_job() {
                break;
            }
        }
        match promise.state() {
            PromiseState::Pending if Instant::now() > self.deadline => Err(timeout()),
            PromiseState::Pending => Err(error(
                ErrorKind::Runtime,
                "EXEC_RUNTIME_ERROR",
                "the script waits for a promise that nothing will ever settle",
            )),
            PromiseState::Rejected => match promise.result::<Value<'js>>() {
                Some(Err(_)) | None => Err(self.thrown(&tools, ctx.catch())),
                Some(Ok(value)) => Err(self.thrown(&tools, value)),
            },
            PromiseState::Resolved => {
                // What was called and not awaited is not over yet, and may have failed.
                while Instant::now() <= self.deadline && ctx.execute_pending_job() {}
                if Instant::now() > self.deadline {
                    return Err(timeout());
                }
                let lost = tools.get("lost").and_then(|lost: Function<'js>| lost.call::<_, Value<'js>>(()));
                match lost.and_then(|lost| match lost.as_object() {
                    Some(lost) => lost.get("reason").map(Some),
                    None => Ok(None),
                }) {
                    Ok(None) => {}
                    Ok(Some(reason)) => return Err(self.thrown(&tools, reason)),
                    Err(_) => return Err(self.thrown(&tools, ctx.catch())),
                }
                let value = promise.result::<Value<'js>>().and_then(Result::ok);
                let value = value.unwrap_or_else(|| Value::new_undefined(ctx.clone()));
                let answer: Function<'js> = tools.get("answer").map_err(broken)?;
                let text: String = match answer.call((value,)) {
                    Ok(text) => text,
                    Err(_) => return Err(self.thrown(&tools, ctx.catch())),
                };
                match text.len() {
                    length if length > MOST_RESULT => Err(error(
                        ErrorKind::Limit,
                        "EXEC_RESULT_TOO_LARGE",
                        &format!(
                            "the result has {length} bytes as JSON, and {MOST_RESULT} can be answered; return less, or print a part"
                        ),
                    )),
                    _ => Ok(text),
                }
            }
        }
    }

    fn eval<V: rquickjs::FromJs<'js>>(&self, source: &str, file: &str) -> rquickjs::Result<V> {
        let mut options = EvalOptions::default();
        options.global = true;
        options.strict = false;
        options.filename = Some(file.to_owned());
        self.ctx.eval_with_options(source, options)
    }

    fn thrown(&self, tools: &Object<'js>, value: Value<'js>) -> ScriptError {
        let read =
            tools.get("thrown").and_then(|thrown: Function<'js>| thrown.call::<_, Vec<String>>((value,)));
        let Ok([code, message, stack]) =
            read.map_or_else(Err, |said| <[String; 3]>::try_from(said).map_err(|_| rquickjs::Error::Unknown))
        else {
            return error(ErrorKind::Runtime, "EXEC_RUNTIME_ERROR", "the script threw what cannot be read");
        };
        // Where not even an error fits into the memory that is left, the engine throws null.
        let memory = message.contains("out of memory") || message == "thrown: null" && !self.throws_null;
        if memory {
            return out_of_memory();
        }
        let (line, column) = position(&stack);
        ScriptError {
            // A call beyond a limit may be caught and made smaller, which one beyond a limit of the run may not.
            kind: if code == "LIMIT_EXCEEDED" || code == "RANGE_TOO_LARGE" {
                ErrorKind::Limit
            } else {
                ErrorKind::Runtime
            },
            code: if code.is_empty() { "EXEC_RUNTIME_ERROR".to_owned() } else { code },
            message: cut(&message),
            line,
            column,
        }
    }
}

fn cut(message: &str) -> String {
    const MOST: usize = 2_000;
    match message.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} characters)", &message[..end], message.chars().count()),
        None => message.to_owned(),
    }
}

fn error(kind: ErrorKind, code: &str, message: &str) -> ScriptError {
    ScriptError { kind, code: code.to_owned(), message: message.to_owned(), line: None, column: None }
}

fn internal(message: &str) -> ScriptError {
    error(ErrorKind::Runtime, "EXEC_INTERNAL", message)
}

pub(crate) fn timeout() -> ScriptError {
    let hint = "the time was over; nothing was written. Do less in one run, or raise timeout_ms";
    error(ErrorKind::Timeout, "EXEC_TIMEOUT", hint)
}

pub(crate) fn out_of_memory() -> ScriptError {
    let hint = "the memory of the run was over; nothing was written. Keep less at once: write cells in several calls, \
                read and print parts, and let go of lists that are no longer needed";
    error(ErrorKind::Limit, "EXEC_MEMORY_LIMIT", hint)
}

fn throws_null(code: &str) -> bool {
    let mut words =
        code.split(|c: char| c.is_whitespace() || "();{}".contains(c)).filter(|word| !word.is_empty());
    let mut thrown = false;
    words.any(|word| {
        let found = thrown && word == "null";
        thrown = word == "throw" || word.ends_with("reject");
        found
    })
}

fn syntax(caught: &rquickjs::CaughtError<'_>, code: &str) -> ScriptError {
    let (message, stack) = match caught {
        rquickjs::CaughtError::Exception(exception) => {
            (exception.message().or_empty(), exception.stack().or_empty())
        }
        other => (other.to_string(), String::new()),
    };
    let (line, column) = position(&stack);
    let mut found = error(ErrorKind::Syntax, "EXEC_SYNTAX_ERROR", &format!("SyntaxError: {message}"));
    if let Some(advice) = habit(code) {
        found.message.push_str(advice);
    }
    (found.line, found.column) = (line, column);
    found
}

/// What to do about code that was written for another place.
fn habit(code: &str) -> Option<&'static str> {
    let begins = |words: &[&str]| {
        code.lines().any(|line| words.iter().any(|word| line.trim_start().starts_with(word)))
    };
    let is_typed = |line: &str| {
        let declared =
            ["const ", "let ", "var "].iter().find_map(|word| line.trim_start().strip_prefix(word));
        declared.is_some_and(|rest| {
            let name = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
            name.len() < rest.len() && name.trim_start().starts_with(':')
        })
    };
    match () {
        () if begins(&["import "]) => {
            Some("; scripts cannot import: `xlsx`, `wb`, `input` and `print` are there already")
        }
        () if begins(&["export "]) => {
            Some("; a script exports nothing: it is the body of a function, and ends with `return`")
        }
        () if begins(&["interface ", "type ", "enum "]) || code.lines().any(is_typed) => {
            Some("; scripts are plain JavaScript: leave out types")
        }
        () => None,
    }
}

/// The first place of a stack that lies in the caller's code. The wrapper stands on a line before it.
fn position(stack: &str) -> (Option<u32>, Option<u32>) {
    let Some((_, behind)) = stack.split_once(&format!("{FILE}:")) else { return (None, None) };
    let mut numbers = behind.split(|c: char| !c.is_ascii_digit()).map(|digits| digits.parse::<u32>().ok());
    let line = numbers.next().flatten().and_then(|line| line.checked_sub(1)).filter(|line| *line > 0);
    let column = numbers.next().flatten().filter(|_| line.is_some());
    (line, column)
}
