"""What every package says of Docwright, said once."""
import dataclasses
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "docwright"
MCP_NAME = "io.github.docwright/docwright"
HOME = "https://github.com/docwright/docwright"
SUMMARY = "Read and edit Word, Excel and Markdown files losslessly, from AI agents (MCP) and the command line."
ABOUT = """\
Docwright is one local program that gives AI agents a careful pair of hands for Word, Excel and Markdown files, and gives
people the last word. It changes exactly what it was asked to change and leaves every other byte as it was. It runs
offline, with no account."""
LICENCE = "MIT OR Apache-2.0"
WHO = "The Docwright developers"
MAIL = "docwright@users.noreply.github.com"
# All builds of one version have the time of this day in their archives, so that the same inputs give the same bytes.
DAY = (2026, 1, 1, 0, 0, 0)
SECONDS = 1767225600


def version() -> str:
    return re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(), re.M).group(1)


@dataclasses.dataclass(frozen=True)
class Platform:
    """A system as each registry calls it."""

    deb: str
    wheel: str
    npm_os: str
    npm_cpu: str
    mcpb: str

    @property
    def npm(self) -> str:
        return f"{self.npm_os}-{self.npm_cpu}"


# Those that have an npm package; what `cargo xtask dist` can build is the one it runs on.
NPM_PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64", "win32-x64"]


def glibc(binary: pathlib.Path) -> str:
    """The newest version of the C library that the binary asks for."""
    found = re.findall(rb"GLIBC_(\d+)\.(\d+)", binary.read_bytes())
    major, minor = max((int(major), int(minor)) for major, minor in found)
    return f"{major}.{minor}"


def here(binary: pathlib.Path) -> Platform:
    machine = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}.get(platform.machine().lower())
    if sys.platform != "linux" or machine is None:
        sys.exit("packages are made on Linux for x86_64 and aarch64; packaging/release.md has a recipe for others")
    library = glibc(binary).replace(".", "_")
    deb, cpu = {"x86_64": ("amd64", "x64"), "aarch64": ("arm64", "arm64")}[machine]
    return Platform(deb, f"manylinux_{library}_{machine}", "linux", cpu, "linux")


def run(command, **options) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout
