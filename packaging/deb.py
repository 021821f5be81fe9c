"""A package for Debian, Ubuntu and their relatives."""
import hashlib

from archive import tar_gz, zipped
from contents import Contents
from facts import ABOUT, HOME, MAIL, NAME, SECONDS, SUMMARY, WHO, Platform, version

COPYRIGHT = f"""\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {NAME}
Source: {HOME}

Files: *
Copyright: {WHO}
License: MIT or Apache-2.0
 Both texts, and those of what the program contains, are in /usr/share/doc/{NAME}.
"""


def make(contents: Contents, platform: Platform, libc: str) -> dict[str, bytes]:
    files = {f"./{name}": file for name, file in installed(contents).items()}
    control = f"""\
Package: {NAME}
Version: {version()}
Architecture: {platform.deb}
Maintainer: {WHO} <{MAIL}>
Installed-Size: {sum(len(data) for data, _ in files.values()) // 1024 + 1}
Depends: libc6 (>= {libc}), libgcc-s1
Section: text
Priority: optional
Homepage: {HOME}
Description: {SUMMARY.rstrip('.').split(', from')[0].lower().capitalize()}
{indented(ABOUT)}
"""
    sums = "".join(f"{hashlib.md5(data).hexdigest()}  {name[2:]}\n" for name, (data, _) in sorted(files.items()))
    control_tar = tar_gz({"./control": (control.encode(), 0o644), "./md5sums": (sums.encode(), 0o644)})
    members = [("debian-binary", b"2.0\n"), ("control.tar.gz", control_tar), ("data.tar.gz", tar_gz(files, folders=True))]
    return {f"{NAME}_{version()}_{platform.deb}.deb": ar(members)}


def installed(contents: Contents) -> dict[str, tuple[bytes, int]]:
    share = "usr/share"
    doc = f"{share}/doc/{NAME}"
    files = {
        "usr/bin/docwright": (contents.program, 0o755),
        f"{doc}/copyright": (COPYRIGHT.encode(), 0o644),
        f"{doc}/changelog.gz": (zipped(contents.changelog), 0o644),
        f"{doc}/README.md": (contents.readme, 0o644),
        f"{doc}/SKILL.md": (contents.skill, 0o644),
        f"{doc}/LICENCES-OF-OTHERS.txt.gz": (zipped(contents.others), 0o644),
        f"{share}/bash-completion/completions/docwright": (contents.completions["bash"], 0o644),
        f"{share}/zsh/vendor-completions/_docwright": (contents.completions["zsh"], 0o644),
        f"{share}/fish/vendor_completions.d/docwright.fish": (contents.completions["fish"], 0o644),
    }
    files |= {f"{doc}/{name}": (text, 0o644) for name, text in contents.licences.items()}
    files |= {f"{share}/man/man1/{name}.gz": (zipped(page), 0o644) for name, page in contents.manual.items()}
    return files


def indented(text: str) -> str:
    return "\n".join(f" {line}" for line in text.splitlines())


def ar(members: list[tuple[str, bytes]]) -> bytes:
    out = b"!<arch>\n"
    for name, data in members:
        out += f"{name:<16}{SECONDS:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode()
        out += data + b"\n" * (len(data) % 2)
    return out
