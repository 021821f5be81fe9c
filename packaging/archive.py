"""Archives whose bytes depend on what is in them and on nothing else."""
import gzip
import io
import tarfile
import zipfile

from facts import DAY, SECONDS

# How hard to pack; less for a trial with a large binary.
LEVEL = 9


def tar_gz(files: dict[str, tuple[bytes, int]], folders: bool = False) -> bytes:
    """`files` by name, each with its bytes and mode."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as archive:
        made = set()
        for name, (data, mode) in sorted(files.items()):
            parents = name.removeprefix("./").split("/")[:-1] if folders else []
            for depth in range(1, len(parents) + 1):
                folder = "./" + "/".join(parents[:depth]) + "/"
                if folder not in made:
                    made.add(folder)
                    archive.addfile(entry(folder, tarfile.DIRTYPE, 0o755, 0))
            archive.addfile(entry(name, tarfile.REGTYPE, mode, len(data)), io.BytesIO(data))
    return zipped(plain.getvalue())


def entry(name: str, kind: bytes, mode: int, size: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.size, info.mtime = kind, mode, size, SECONDS
    info.uname = info.gname = "root"
    return info


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="", compresslevel=LEVEL) as packed:
        packed.write(data)
    return out.getvalue()


def zip_of(files: list[tuple[str, bytes, int]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name, data, mode in files:
            info = zipfile.ZipInfo(name, DAY)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = (0o100000 | mode) << 16
            archive.writestr(info, data)
    return out.getvalue()
