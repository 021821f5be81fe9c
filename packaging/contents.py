"""What is installed beside the program: manual pages, completions, the skill, licences."""
import dataclasses
import json
import pathlib
import re
import shutil
import tempfile

from facts import ROOT, run


@dataclasses.dataclass
class Contents:
    program: bytes
    manual: dict[str, bytes]
    # By shell: bash, zsh, fish, powershell.
    completions: dict[str, bytes]
    skill: bytes
    readme: bytes
    changelog: bytes
    licences: dict[str, bytes]
    # Licences of everything that is linked into the program.
    others: bytes


def gather(binary: pathlib.Path) -> Contents:
    work = pathlib.Path(tempfile.mkdtemp(prefix="docwright-dist-"))
    try:
        program = work / "docwright"
        shutil.copyfile(binary, program)
        program.chmod(0o755)
        run(["strip", "--strip-all", program])
        run([program, "man", work / "man"])
        return Contents(
            program=program.read_bytes(),
            manual={page.name: page.read_bytes() for page in sorted((work / "man").glob("*.1"))},
            completions={
                shell: run([program, "completions", shell]).encode() for shell in ("bash", "zsh", "fish", "powershell")
            },
            skill=(ROOT / "skill/SKILL.md").read_bytes(),
            readme=(ROOT / "README.md").read_bytes(),
            changelog=(ROOT / "CHANGELOG.md").read_bytes(),
            licences={name: (ROOT / name).read_bytes() for name in ("LICENSE-MIT", "LICENSE-APACHE")},
            others=licences_of_others().encode(),
        )
    finally:
        shutil.rmtree(work)


def linked() -> list[dict]:
    """The crates that are part of the program, which excludes what only builds or tests it."""
    tree = run(["cargo", "tree", "--locked", "--package", "docwright", "--edges", "normal", "--prefix", "none", "--format", "{p}"], cwd=ROOT)
    wanted = {tuple(match) for match in re.findall(r"^(\S+) v(\S+)", tree, re.M)}
    metadata = json.loads(run(["cargo", "metadata", "--locked", "--format-version", "1"], cwd=ROOT))
    return [package for package in metadata["packages"] if (package["name"], package["version"]) in wanted and package["source"]]


def licences_of_others() -> str:
    parts = ["Docwright contains the work of others, under these licences.\n"]
    texts: dict[str, list[str]] = {}
    for package in sorted(linked(), key=lambda package: package["name"]):
        folder = pathlib.Path(package["manifest_path"]).parent
        files = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|copying|notice|unlicense)", path.name) and path.is_file())
        name = f"{package['name']} {package['version']} ({package['license'] or 'see below'})"
        for path in files or [None]:
            text = path.read_text(errors="replace").strip() if path else "No licence text is in the package."
            texts.setdefault(text, []).append(name)
    fonts = ROOT / "crates/render/fonts"
    for path in sorted(fonts.rglob("*")):
        if path.is_file() and re.search(r"(?i)(licen[cs]e|ofl|copying)", path.name):
            texts.setdefault(path.read_text(errors="replace").strip(), []).append(f"fonts, {path.relative_to(fonts)}")
    for text, names in texts.items():
        parts.append("=" * 78 + "\n" + "\n".join(sorted(set(names))) + "\n" + "-" * 78 + "\n" + text + "\n")
    return "\n".join(parts)
