"""The archive for everybody else: unpack it anywhere and run `docwright`."""
from archive import tar_gz
from contents import Contents
from facts import NAME, Platform, version


def make(contents: Contents, platform: Platform) -> dict[str, bytes]:
    top = f"{NAME}-{version()}-{platform.npm}"
    files = {
        "docwright": (contents.program, 0o755),
        "README.md": (contents.readme, 0o644),
        "CHANGELOG.md": (contents.changelog, 0o644),
        "SKILL.md": (contents.skill, 0o644),
        "LICENCES-OF-OTHERS.txt": (contents.others, 0o644),
    }
    files |= {name: (text, 0o644) for name, text in contents.licences.items()}
    files |= {f"man/{name}": (page, 0o644) for name, page in contents.manual.items()}
    names = {"bash": "docwright.bash", "zsh": "_docwright", "fish": "docwright.fish", "powershell": "docwright.ps1"}
    files |= {f"completions/{names[shell]}": (script, 0o644) for shell, script in contents.completions.items()}
    return {f"{top}.tar.gz": tar_gz({f"{top}/{name}": file for name, file in files.items()})}
