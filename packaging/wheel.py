"""A Python wheel that carries the program: `pip install docwright`, `uvx docwright mcp`."""
import base64
import hashlib

from archive import zip_of
from contents import Contents
from facts import ABOUT, HOME, LICENCE, MCP_NAME, NAME, SUMMARY, WHO, Platform, version

INIT = '''\
"""The docwright program, installed beside this package."""
import os
import sysconfig


def program() -> str:
    """Where the program is: in the folder for scripts of this environment, or of the user."""
    name = "docwright" + (sysconfig.get_config_var("EXE") or "")
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    for scheme in schemes:
        path = os.path.join(sysconfig.get_path("scripts", scheme=scheme), name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"no {name} was installed with this package")
'''
MAIN = '''\
import os
import sys

from docwright import program

if sys.platform == "win32":
    import subprocess

    sys.exit(subprocess.run([program(), *sys.argv[1:]]).returncode)
os.execv(program(), ["docwright", *sys.argv[1:]])
'''


def make(contents: Contents, platform: Platform) -> dict[str, bytes]:
    info, data = f"{NAME}-{version()}.dist-info", f"{NAME}-{version()}.data"
    metadata = f"""\
Metadata-Version: 2.4
Name: {NAME}
Version: {version()}
Summary: {SUMMARY}
Author: {WHO}
License-Expression: {LICENCE}
License-File: LICENSE-MIT
License-File: LICENSE-APACHE
License-File: LICENCES-OF-OTHERS.txt
Project-URL: Homepage, {HOME}
Requires-Python: >=3.8
Keywords: mcp,docx,xlsx,markdown,word,excel,agent
Description-Content-Type: text/markdown

<!-- mcp-name: {MCP_NAME} -->

{ABOUT}

`docwright install` adds it to the MCP clients of your machine, `docwright --help` lists what it does from a shell. More is at <{HOME}>.
"""
    wheel = f"Wheel-Version: 1.0\nGenerator: docwright-dist\nRoot-Is-Purelib: false\nTag: py3-none-{platform.wheel}\n"
    share = f"{data}/data/share"
    files = [
        (f"{NAME}/__init__.py", INIT.encode(), 0o644),
        (f"{NAME}/__main__.py", MAIN.encode(), 0o644),
        (f"{data}/scripts/docwright", contents.program, 0o755),
        (f"{share}/bash-completion/completions/docwright", contents.completions["bash"], 0o644),
        (f"{share}/zsh/site-functions/_docwright", contents.completions["zsh"], 0o644),
        (f"{share}/fish/vendor_completions.d/docwright.fish", contents.completions["fish"], 0o644),
        (f"{share}/docwright/SKILL.md", contents.skill, 0o644),
        *((f"{share}/man/man1/{name}", page, 0o644) for name, page in contents.manual.items()),
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", wheel.encode(), 0o644),
        *((f"{info}/licenses/{name}", text, 0o644) for name, text in contents.licences.items()),
        (f"{info}/licenses/LICENCES-OF-OTHERS.txt", contents.others, 0o644),
    ]
    record = "".join(f"{name},sha256={digest(text)},{len(text)}\n" for name, text, _ in files) + f"{info}/RECORD,,\n"
    files.append((f"{info}/RECORD", record.encode(), 0o644))
    return {f"{NAME}-{version()}-py3-none-{platform.wheel}.whl": zip_of(files)}


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
