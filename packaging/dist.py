#!/usr/bin/env python3
"""Makes what users install, for the machine it runs on, and tries each in a place of its own.

    cargo xtask dist                        build in release, package, try
    cargo xtask dist --binary PATH          package a program that is there already
    cargo xtask dist --out FOLDER --no-try

Everything lands in `dist/` with its checksums. Needs Python 3.11, `strip`, and for the trials npm and dpkg.
"""
import argparse
import hashlib
import json
import pathlib
import sys

import archive
import contents
import deb
import facts
import mcpb
import npm
import plain
import trials
import wheel


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, default=facts.ROOT / "dist")
    parser.add_argument("--level", type=int, default=9, help="how hard to pack, 1 to 9")
    parser.add_argument("--no-try", action="store_true", help="make the packages and do not install them")
    arguments = parser.parse_args()
    archive.LEVEL = arguments.level

    binary = arguments.binary.resolve()
    said = facts.run([binary, "--version"]).split()[-1]
    if said != facts.version():
        sys.exit(f"{binary} is version {said}, and this repository {facts.version()}")
    platform = facts.here(binary)
    inside = contents.gather(binary)
    files = plain.make(inside, platform)
    files |= deb.make(inside, platform, facts.glibc(binary))
    files |= wheel.make(inside, platform)
    files |= npm.make(inside, platform)
    files |= mcpb.make(inside, platform)
    files["server.json"] = server(files)

    out = arguments.out.resolve()
    (out / "container").mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (out / name).write_bytes(data)
    package = next(data for name, data in files.items() if name.endswith(".deb"))
    (out / "container/docwright.deb").write_bytes(package)
    (out / "container/Containerfile").write_bytes((pathlib.Path(__file__).parent / "Containerfile").read_bytes())
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    (out / "SHA256SUMS").write_text(sums)
    print(f"the program: {len(inside.program) / 1e6:.1f} MB stripped, {binary.stat().st_size / 1e6:.1f} MB before")
    for name, data in sorted(files.items()):
        print(f"{len(data) / 1e6:8.1f} MB  {out / name}")
    return 0 if arguments.no_try else trials.try_all(out)


def server(files: dict[str, bytes]) -> bytes:
    """What the MCP registry is told: the file of the repository, with the bundle's address and checksum."""
    told = json.loads((facts.ROOT / "server.json").read_text())
    for name, data in files.items():
        if name.endswith(".mcpb"):
            told["packages"].append({
                "registryType": "mcpb",
                "identifier": f"{facts.HOME}/releases/download/v{facts.version()}/{name}",
                "fileSha256": hashlib.sha256(data).hexdigest(),
                "transport": {"type": "stdio"},
            })
    return npm.as_json(told)


if __name__ == "__main__":
    sys.exit(main())
