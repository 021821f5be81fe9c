// What a script finds when it starts: `wb`, `xlsx`, `input`, `print` and `console`. Everything that is needed later is
// taken here, before a line of the script runs, so that a script that redefines JSON breaks nobody but itself.
(function (call, out, names, given) {
  "use strict";
  const { parse, stringify } = JSON;
  const { isArray, from: listOf } = Array;
  const { isView } = ArrayBuffer;
  const { keys, getPrototypeOf, freeze, defineProperty } = Object;
  const ObjectPrototype = Object.prototype;
  const { isFinite } = Number;
  const getTime = Function.prototype.call.bind(Date.prototype.getTime);
  const iso = Function.prototype.call.bind(Date.prototype.toISOString);
  const sourceOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(RegExp.prototype, "source").get);
  const flagsOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(RegExp.prototype, "flags").get);
  const tagOf = Function.prototype.call.bind(Object.prototype.toString);
  const put = Function.prototype.call.bind(Map.prototype.set);
  const drop = Function.prototype.call.bind(Map.prototype.delete);
  const each = Function.prototype.call.bind(Map.prototype.forEach);
  const { Date: DateClass, RegExp: RegExpClass, Map: MapClass, Set: SetClass, Error: ErrorClass, String: text } = globalThis;

  class XlsxError extends ErrorClass {
    constructor(code, message) {
      super(message);
      this.name = "XlsxError";
      this.code = code;
    }
  }

  const fail = (where, what) => {
    throw new XlsxError("INVALID_ARGUMENT", `${where} ${what}`);
  };

  // A copy in plain JSON. What JSON would drop or change without a word is refused, or told apart by a sign.
  function plain(value, where, above, special) {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        return isFinite(value) ? value : special.number(value, where);
      case "undefined":
        return null;
      case "bigint":
        return fail(where, `is the BigInt ${value}; use Number(…) or String(…)`);
      case "function":
      case "symbol":
        return fail(where, `is a ${typeof value}; only data can be passed`);
    }
    if (value === null) return null;
    if (value instanceof DateClass) return special.date(value, where);
    if (value instanceof RegExpClass) return special.regexp(value);
    if (value instanceof MapClass || value instanceof SetClass) {
      fail(where, "is a Map or Set; use Object.fromEntries(map) or [...set]");
    }
    if (value instanceof Promise) fail(where, "is a promise; await it first");
    if (value === wb || value === xlsx) {
      fail(where, `is \`${value === wb ? "wb" : "xlsx"}\` itself; give what you read from the workbook`);
    }
    const tag = tagOf(value).slice(8, -1);
    if (tag === "Number" || tag === "String" || tag === "Boolean") return plain(value.valueOf(), where, above, special);
    if (isView(value) && tag !== "DataView") return plain(listOf(value), where, above, special);
    // What JSON would make an empty object of: iterators, generators, buffers.
    if (tag !== "Object" && tag !== "Array" && tag !== "Error" && tag !== "Arguments" && typeof value.toJSON !== "function" && keys(value).length === 0) {
      fail(where, `is of the kind ${tag}, which JSON cannot hold; give a list or a plain object, such as [...values]`);
    }
    if (above.includes(value)) fail(where, "contains itself");
    above.push(value);
    let copy;
    if (isArray(value)) {
      copy = [];
      for (let index = 0; index < value.length; index++) {
        copy[index] = plain(value[index], `${where}[${index}]`, above, special);
      }
    } else if (special.errors && value instanceof ErrorClass) {
      copy = { name: text(value.name), message: text(value.message) };
    } else if (typeof value.toJSON === "function") {
      copy = plain(value.toJSON(), where, above, special);
    } else {
      copy = {};
      for (const key of keys(value)) {
        const member = value[key];
        if (member === undefined) continue;
        const inner = plain(member, `${where}.${key}`, above, special);
        // A member called __proto__ is a member like any other.
        defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true });
      }
    }
    above.pop();
    return copy;
  }

  const asArgument = {
    number: (value, where) => fail(where, `is ${value}, which is no number that a cell can hold`),
    date: (value, where) => {
      const time = getTime(value);
      return isFinite(time) ? { $date: time } : fail(where, "is a Date without a time");
    },
    regexp: (value) => ({ $regexp: sourceOf(value), flags: flagsOf(value) }),
    errors: false,
  };
  const asResult = {
    number: (value) => text(value),
    date: (value) => (isFinite(getTime(value)) ? iso(value) : "Invalid Date"),
    regexp: (value) => `/${sourceOf(value)}/${flagsOf(value)}`,
    errors: true,
  };

  // Whether a script may ask an object for a member that it does not have: the language itself does.
  const isAskedByItself = (target, name) =>
    typeof name !== "string" || name in target || name in ObjectPrototype || name === "then" || name === "toJSON";

  const wb = new Proxy(freeze({ toString: () => "[workbook]" }), {
    get(target, name) {
      if (isAskedByItself(target, name)) return target[name];
      const { value: near } = parse(call("$nearest", stringify([name])));
      throw new XlsxError(
        "UNKNOWN_FUNCTION",
        `wb.${name} does not exist: the workbook is only passed on. Write await xlsx.${near ?? "readCell"}(wb, …)`,
      );
    },
  });

  // Calls that failed, each with whether somebody waited for it.
  const failed = [];

  // A promise that says so where it is taken for its value, and knows whether it was awaited.
  function awaited(promise, name) {
    const watch = { taken: false };
    promise.catch((error) => failed.push({ watch, error }));
    const early = () => {
      throw new XlsxError("NOT_AWAITED", `xlsx.${name}(…) is a promise; write \`await xlsx.${name}(…)\` to get its value`);
    };
    return new Proxy(promise, {
      get(target, member) {
        if (member === "then" || member === "catch" || member === "finally") {
          watch.taken = true;
          return target[member].bind(target);
        }
        if (member === Symbol.toPrimitive || member === Symbol.iterator) return early;
        if (typeof member === "symbol" || member === "constructor") return target[member];
        return early();
      },
    });
  }

  function bind(name) {
    // One call, made before anything is awaited, so that an error knows the line that asked.
    const made = async function (workbook, ...rest) {
      if (workbook !== wb) fail(`xlsx.${name}:`, "the first argument is the workbook, `wb`");
      const given = rest.map((value, index) => plain(value, `${name}: argument ${index + 1}`, [], asArgument));
      const answer = parse(call(name, stringify(given)));
      if (answer.error) throw new XlsxError(answer.error.code, answer.error.message);
      const { value } = answer;
      if (value === null || typeof value !== "object" || value.$list === undefined) return value;
      // Beside the members, so that the list stays one.
      return defineProperty(value.$list, "truncated", { value: value.truncated });
    };
    return (...given) => awaited(made(...given), name);
  }

  const functions = {};
  for (const name of names) functions[name] = bind(name);
  const xlsx = new Proxy(freeze(functions), {
    get(target, name) {
      if (isAskedByItself(target, name)) return target[name];
      if (["save", "saveas", "savefile", "write", "writefile", "close", "commit"].includes(name.toLowerCase())) {
        throw new XlsxError("UNKNOWN_FUNCTION", `xlsx.${name} does not exist; save_mode (inplace or save_as) keeps what a script changed`);
      }
      const { value: near } = parse(call("$nearest", stringify([name])));
      const advice = near ? `did you mean xlsx.${near}?` : "`return Object.keys(xlsx)` lists what does";
      throw new XlsxError("UNKNOWN_FUNCTION", `xlsx.${name} does not exist; ${advice}`);
    },
  });

  const shown = (value) => {
    if (typeof value === "string") return value;
    if (value === undefined) return "undefined";
    if (value instanceof ErrorClass) return `${value.name}: ${value.message}`;
    try {
      return stringify(plain(value, "value", [], asResult));
    } catch (error) {
      return text(value);
    }
  };
  const print = (...values) => out(values.map(shown).join(" ") + "\n");

  const silent = () => {};
  const console = freeze({
    log: print, info: print, warn: print, error: print, debug: print, table: print, dir: print, trace: print,
    group: print, groupEnd: silent, time: silent, timeEnd: silent,
    assert: (truth, ...values) => (truth ? undefined : print("Assertion failed:", ...values)),
  });

  // What scripts look for that were written for another place, and what to do here.
  const elsewhere = {
    require: "there are no modules; `xlsx`, `wb`, `input` and `print` are there already",
    module: "there are no modules; end the script with `return`",
    exports: "there are no modules; end the script with `return`",
    fetch: "there is no network; pass what is needed in `input`",
    XMLHttpRequest: "there is no network; pass what is needed in `input`",
    setTimeout: "there are no timers, and nothing has to be waited for",
    setInterval: "there are no timers, and nothing has to be waited for",
    setImmediate: "there are no timers, and nothing has to be waited for",
    process: "there are no processes and no environment; pass what is needed in `input`",
    Deno: "there are no processes and no files; pass what is needed in `input`",
    Buffer: "there are no buffers; a picture is given in base64",
    fs: "there are no files; the workbook is `wb`, and save_mode keeps what you change",
    structuredClone: "use JSON.parse(JSON.stringify(value))",
    Intl: "there is no Intl; the `text` of a cell is written as Excel shows it",
  };
  for (const name of ["XLSX", "ExcelJS", "Excel", "workbook", "worksheet", "sheet", "SpreadsheetApp", "context", "XlsxPopulate"]) {
    elsewhere[name] = "the workbook is `wb`, and its cells are reached with functions such as `await xlsx.readCell(wb, \"Sheet!A1\")`";
  }
  const withAdvice = (error) => {
    const message = text(error.message);
    if (error.name !== "ReferenceError") return message;
    if (message.startsWith("could not load module")) return `${message}; ${elsewhere.require}`;
    const [name, rest] = [message.split(" ")[0], message.endsWith(" is not defined")];
    return rest && keys(elsewhere).includes(name) ? `${message}; ${elsewhere[name]}` : message;
  };
  // Promises that were rejected and that nobody waited for.
  const rejected = new MapClass();
  const globals = { wb, xlsx, input: parse(given), print, console };
  for (const name of keys(globals)) {
    defineProperty(globalThis, name, { value: globals[name], enumerable: true, configurable: false, writable: false });
  }

  return {
    // The result of the script as JSON.
    answer: (value) => (value === undefined ? "" : stringify(plain(value, "the result", [], asResult))),
    // What was thrown, which may be anything.
    thrown: (error) => {
      if (error instanceof ErrorClass) {
        const own = error instanceof XlsxError || typeof error.code === "string";
        return [own ? text(error.code) : "", `${error instanceof XlsxError ? "" : `${text(error.name)}: `}${withAdvice(error)}`, text(error.stack ?? "")];
      }
      return ["", `thrown: ${shown(error)}`, ""];
    },
    // What went wrong and nobody waited for; it would be lost.
    lost: () => {
      const call = failed.find(({ watch }) => !watch.taken);
      const reasons = call ? [{ reason: call.error }] : [];
      each(rejected, (reason) => reasons.push({ reason }));
      return reasons[0];
    },
    reject: (promise, reason, handled) => (handled ? drop(rejected, promise) : put(rejected, promise, reason)),
    whole: (source) => text(__script) === source,
  };
});
