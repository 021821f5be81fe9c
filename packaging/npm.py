"""npm packages: `docwright`, which starts the program of the package for the platform, and that package."""
import json

from archive import tar_gz
from contents import Contents
from facts import ABOUT, HOME, LICENCE, MCP_NAME, NAME, NPM_PLATFORMS, SUMMARY, Platform, version

LAUNCHER = """\
#!/usr/bin/env node
// Starts the program that the package for this platform carries, with everything passed on as it is.
"use strict";
const { spawn } = require("node:child_process");

const name = `@docwright/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "docwright.exe" : "docwright";
let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(
    `docwright: there is no program for ${process.platform} ${process.arch} in this installation (${name}).\\n` +
      "If npm was told to leave out optional packages, install it again with them; else see " +
      "HOME for what there is."
  );
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`docwright: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
""".replace("HOME", HOME)


def make(contents: Contents, platform: Platform) -> dict[str, bytes]:
    about = {"version": version(), "license": LICENCE, "homepage": HOME, "repository": {"type": "git", "url": f"git+{HOME}.git"}}
    main = {
        "name": NAME,
        "description": SUMMARY,
        **about,
        "mcpName": MCP_NAME,
        "keywords": ["mcp", "docx", "xlsx", "markdown", "word", "excel", "agent"],
        "bin": {NAME: "bin/docwright.js"},
        "files": ["bin", "SKILL.md"],
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"@docwright/{name}": version() for name in NPM_PLATFORMS},
    }
    part = {
        "name": f"@docwright/{platform.npm}",
        "description": f"The docwright program for {platform.npm}; install `docwright` instead.",
        **about,
        "os": [platform.npm_os],
        "cpu": [platform.npm_cpu],
        # Built against glibc; other C libraries are not tried.
        **({"libc": ["glibc"]} if platform.npm_os == "linux" else {}),
        "files": ["bin", "share"],
    }
    licences = {f"package/{name}": (text, 0o644) for name, text in contents.licences.items()}
    readme = f"# {NAME}\n\n{ABOUT}\n\n`npx docwright install` adds it to the MCP clients of your machine; `npx docwright mcp` is the server.\nMore is at <{HOME}>.\n"
    launcher = {
        "package/package.json": (as_json(main), 0o644),
        "package/bin/docwright.js": (LAUNCHER.encode(), 0o755),
        "package/README.md": (readme.encode(), 0o644),
        "package/SKILL.md": (contents.skill, 0o644),
        **licences,
    }
    program = {
        "package/package.json": (as_json(part), 0o644),
        "package/bin/docwright": (contents.program, 0o755),
        "package/LICENCES-OF-OTHERS.txt": (contents.others, 0o644),
        **{f"package/share/man/man1/{name}": (page, 0o644) for name, page in contents.manual.items()},
        **{f"package/share/completions/docwright.{shell}": (script, 0o644) for shell, script in contents.completions.items()},
        **licences,
    }
    return {
        f"{NAME}-{version()}.tgz": tar_gz(launcher),
        f"{NAME}-{platform.npm}-{version()}.tgz": tar_gz(program),
    }


def as_json(value) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
