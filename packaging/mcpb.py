"""An MCP bundle: one file that Claude Desktop and its like install with a double click."""
from archive import zip_of
from contents import Contents
from facts import ABOUT, HOME, LICENCE, NAME, SUMMARY, WHO, Platform, version
from npm import as_json


def make(contents: Contents, platform: Platform) -> dict[str, bytes]:
    manifest = {
        "manifest_version": "0.3",
        "name": NAME,
        "display_name": "Docwright",
        "version": version(),
        "description": SUMMARY,
        "long_description": ABOUT,
        "author": {"name": WHO, "url": HOME},
        "repository": {"type": "git", "url": f"{HOME}.git"},
        "homepage": HOME,
        "documentation": f"{HOME}/tree/main/docs",
        "support": f"{HOME}/issues",
        "license": LICENCE,
        "keywords": ["word", "excel", "markdown", "docx", "xlsx", "documents"],
        "server": {
            "type": "binary",
            "entry_point": "server/docwright",
            "mcp_config": {
                "command": "${__dirname}/server/docwright",
                "args": ["mcp", "--root", "${user_config.folders}"],
                "env": {},
            },
        },
        "tools_generated": True,
        "prompts_generated": True,
        "user_config": {
            "folders": {
                "type": "directory",
                "title": "Folders",
                "description": "Documents in these folders may be read and edited; nothing outside of them is ever touched.",
                "multiple": True,
                "required": True,
                "default": ["${HOME}/Documents"],
            }
        },
        "compatibility": {"platforms": [platform.mcpb]},
    }
    files = [
        ("manifest.json", as_json(manifest), 0o644),
        ("server/docwright", contents.program, 0o755),
        ("README.md", contents.readme, 0o644),
        ("SKILL.md", contents.skill, 0o644),
        *((name, text, 0o644) for name, text in contents.licences.items()),
        ("LICENCES-OF-OTHERS.txt", contents.others, 0o644),
    ]
    return {f"{NAME}-{version()}-{platform.npm}.mcpb": zip_of(files)}
