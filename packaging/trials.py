"""Installs each package from its file, in a place of its own, and uses what was installed."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from facts import ROOT, run, version

MCPB_CLI = "@anthropic-ai/mcpb@2.1.2"


class Skipped(Exception):
    """What cannot be tried here, and why."""


def try_all(dist: pathlib.Path) -> int:
    failed = 0
    for trial in (checksums, archive, debian, python, node, bundle, registry, container):
        work = pathlib.Path(tempfile.mkdtemp(prefix=f"docwright-{trial.__name__}-"))
        try:
            print(f"ok       {trial.__name__}: {trial(dist, work)}")
        except Skipped as why:
            print(f"SKIPPED: {trial.__name__}: {why}")
        except (Exception, SystemExit) as problem:
            failed += 1
            print(f"FAILED   {trial.__name__}: {problem}")
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


def one(dist: pathlib.Path, pattern: str) -> pathlib.Path:
    (found,) = dist.glob(pattern)
    return found


def use(command: list, work: pathlib.Path) -> str:
    """The program says its version, makes a tracked change, and serves MCP."""
    command = [str(part) for part in command]
    environment = os.environ | {"HOME": str(work), "XDG_STATE_HOME": str(work / "state")}
    said = run([*command, "--version"], env=environment).strip()
    if said != f"docwright {version()}":
        raise AssertionError(f"it says {said!r}")
    documents = work / "documents"
    documents.mkdir(exist_ok=True)
    shutil.copy(ROOT / "samples/contract.docx", documents)
    edit = ["word", "edit", documents / "contract.docx", "--old", "thirty (30) days", "--new", "sixty (60) days", "--track"]
    run([*command, *edit], env=environment)
    changes = run([*command, "word", "changes", documents / "contract.docx"], env=environment)
    if "sixty (60)" not in changes and "sixty" not in changes:
        raise AssertionError(f"the edit is not there: {changes}")
    return f"{said}, a tracked change, {serve([*command, 'mcp', '--alone', '--root', str(documents)], environment)} tools"


def serve(command: list[str], environment: dict) -> int:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "trial", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
    ]
    said = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(command, input=said, capture_output=True, text=True, env=environment, timeout=120)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    listed = [answer["result"]["tools"] for answer in answers if answer.get("id") == 2 and "result" in answer]
    if not listed:
        raise AssertionError(f"{' '.join(command)} lists no tools: {done.stderr.strip()}")
    return len(listed[0])


def checksums(dist: pathlib.Path, work: pathlib.Path) -> str:
    lines = (dist / "SHA256SUMS").read_text().splitlines()
    for line in lines:
        wanted, name = line.split("  ")
        if hashlib.sha256((dist / name).read_bytes()).hexdigest() != wanted:
            raise AssertionError(f"{name} has another checksum")
    return f"{len(lines)} files"


def archive(dist: pathlib.Path, work: pathlib.Path) -> str:
    run(["tar", "-xzf", one(dist, "docwright-*.tar.gz"), "-C", work])
    (top,) = (path for path in work.iterdir() if path.is_dir())
    for name in ("man/docwright-word-edit.1", "completions/_docwright", "SKILL.md", "LICENCES-OF-OTHERS.txt"):
        if not (top / name).stat().st_size:
            raise AssertionError(f"{name} is empty")
    return use([top / "docwright"], work)


def debian(dist: pathlib.Path, work: pathlib.Path) -> str:
    if not shutil.which("apt-get"):
        raise Skipped("this is no Debian")
    package = one(dist, "docwright_*.deb")
    if os.geteuid() != 0 or pathlib.Path("/usr/bin/docwright").exists():
        run(["apt-get", "install", "--simulate", package])
        run(["dpkg-deb", "--extract", package, work / "root"])
        return "unpacked only, as this is not root: " + use([work / "root/usr/bin/docwright"], work)
    try:
        run(["apt-get", "install", "--yes", "--no-install-recommends", package], env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
        listed = run(["dpkg", "--listfiles", "docwright"])
        for name in ("man/man1/docwright.1.gz", "bash-completion/completions/docwright", "doc/docwright/SKILL.md"):
            if f"/usr/share/{name}" not in listed:
                raise AssertionError(f"{name} is not in the package")
        run(["dpkg", "--verify", "docwright"])
        return "apt install ./…: " + use(["/usr/bin/docwright"], work)
    finally:
        run(["dpkg", "--purge", "docwright"])


def python(dist: pathlib.Path, work: pathlib.Path) -> str:
    run([sys.executable, "-m", "venv", work / "venv"])
    python = work / "venv/bin/python"
    run([python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", one(dist, "docwright-*.whl")])
    run([python, "-m", "docwright", "--version"])
    for name in ("man/man1/docwright.1", "bash-completion/completions/docwright", "docwright/SKILL.md"):
        if not (work / "venv/share" / name).exists():
            raise AssertionError(f"share/{name} was not installed")
    told = "pip install --no-index: " + use([work / "venv/bin/docwright"], work)
    run([python, "-m", "pip", "uninstall", "--yes", "--quiet", "docwright"])
    if (work / "venv/bin/docwright").exists():
        raise AssertionError("pip uninstall left the program")
    return told


def node(dist: pathlib.Path, work: pathlib.Path) -> str:
    if not shutil.which("npm"):
        raise Skipped("npm is not here")
    project = work / "project"
    project.mkdir()
    (project / "package.json").write_text('{"private": true}')
    packages = [one(dist, "docwright-[0-9]*.tgz"), one(dist, "docwright-*-*-*.tgz")]
    # Packages of other platforms are optional, and nobody asks the network for them.
    environment = os.environ | {"npm_config_cache": str(work / "cache")}
    run(["npm", "install", "--no-audit", "--no-fund", "--offline", *packages], cwd=project, env=environment)
    return "npm i ./…tgz: " + use([project / "node_modules/.bin/docwright"], work)


def bundle(dist: pathlib.Path, work: pathlib.Path) -> str:
    if not shutil.which("npm"):
        raise Skipped("npm is not here")
    cache = pathlib.Path(os.environ.get("DOCWRIGHT_CACHE") or pathlib.Path.home() / ".cache/docwright") / "mcpb"
    program = cache / "node_modules/.bin/mcpb"
    if not program.exists():
        cache.mkdir(parents=True, exist_ok=True)
        (cache / "package.json").write_text('{"private": true}')
        got = subprocess.run(["npm", "install", "--no-audit", "--no-fund", MCPB_CLI], cwd=cache, capture_output=True, text=True)
        if got.returncode != 0:
            raise Skipped(f"{MCPB_CLI} could not be installed: {got.stderr.strip().splitlines()[-1:]}")
    run([program, "unpack", one(dist, "docwright-*.mcpb"), work / "bundle"])
    run([program, "validate", work / "bundle/manifest.json"])
    manifest = json.loads((work / "bundle/manifest.json").read_text())
    told = manifest["server"]["mcp_config"]
    # Clients put a folder in the place of each that the user chose.
    start = [told["command"], *told["args"]]
    folders = [str(work / "documents"), str(work)]
    filled = []
    for part in start:
        filled += folders if part == "${user_config.folders}" else [part.replace("${__dirname}", str(work / "bundle"))]
    unpacked = pathlib.Path(filled[0])
    unpacked.chmod(0o755)
    said = use([unpacked], work)
    tools = serve([*filled, "--alone"], os.environ | {"HOME": str(work), "XDG_STATE_HOME": str(work / "state")})
    return f"validated, unpacked, started as its manifest says with {tools} tools: {said}"


def registry(dist: pathlib.Path, work: pathlib.Path) -> str:
    told = json.loads((dist / "server.json").read_text())
    kinds = sorted(package["registryType"] for package in told["packages"])
    for package in told["packages"]:
        if package.get("version", version()) != version():
            raise AssertionError(f"{package['identifier']} is of version {package['version']}")
        if "fileSha256" in package:
            file = dist / package["identifier"].rsplit("/", 1)[-1]
            if hashlib.sha256(file.read_bytes()).hexdigest() != package["fileSha256"]:
                raise AssertionError("the checksum of the bundle is another")
    return f"server.json names {', '.join(kinds)}"


def container(dist: pathlib.Path, work: pathlib.Path) -> str:
    engine = next((name for name in ("docker", "podman") if shutil.which(name)), None)
    if engine is None:
        raise Skipped("neither docker nor podman is here")
    base = subprocess.run([engine, "image", "inspect", "debian:bookworm-slim"], capture_output=True)
    pull = base.returncode == 0 or subprocess.run([engine, "pull", "debian:bookworm-slim"], capture_output=True, timeout=120).returncode == 0
    if not pull:
        raise Skipped(f"{engine} cannot get debian:bookworm-slim")
    run([engine, "build", "--quiet", "--tag", "docwright-trial", "--file", dist / "container/Containerfile", dist / "container"])
    try:
        said = run([engine, "run", "--rm", "docwright-trial", "--version"]).strip()
    finally:
        run([engine, "image", "rm", "docwright-trial"])
    return f"{engine} build: {said}"
