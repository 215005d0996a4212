"""The peer's ingest: byte ranges -> ecCodes -> int16 -> zstd in Zarr, a task for each variable, two processes.
stdin: [{"url", "lead"}, ...]; argument: the folder of the store. Prints wall and processor seconds, peak MB and messages as JSON."""
import json, os, re, resource, sys, time, urllib.request
from concurrent.futures import ProcessPoolExecutor

import eccodes as ec
import numcodecs
import numpy as np
import zarr

TILE = 32  # a chunk has all leads of so many points squared


def get(url, first=None, last=None):
    headers = {} if first is None else {"Range": f"bytes={first}-{'' if last is None else last}"}
    return urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read()


def variables(file):
    """(name without its times, url, lead, first byte, last byte) of each line of an index."""
    lines = [line.split(":") for line in get(file["url"] + ".idx").decode().splitlines()]
    for line, following in zip(lines, lines[1:] + [None]):
        if line[3] == "NONE":
            continue
        span = re.match(r"(\d+)-(\d+) (hour|day)", line[5])
        hours = (int(span[2]) - int(span[1])) * (24 if span[3] == "day" else 1) if span else 0
        model = file["url"].split("/")[3].split("-")[1]
        name = "_".join([model, line[3], line[4], f"{hours}h", re.sub(r"^[\d-]+ (hour|day) ", "", line[5]), *line[6:]])
        yield re.sub(r"\W+", "_", name), file["url"], file["lead"], int(line[1]), int(following[1]) - 1 if following else None


def decoded(bytes_):
    handle = ec.codes_new_from_message(bytes_)
    ec.codes_set(handle, "missingValue", 1e20)
    values = ec.codes_get_values(handle)
    grid = {key: ec.codes_get(handle, key) for key in ("Nx", "Ny", "jScansPositively", "alternativeRowScanning")}
    for key in ("latitudeOfFirstGridPoint", "longitudeOfFirstGridPoint", "LoV", "Latin1", "DxInMetres"):
        grid[key] = ec.codes_get(handle, key + ("InDegrees" if key != "DxInMetres" else ""))
    ec.codes_release(handle)
    rows = values.reshape(grid["Ny"], grid["Nx"])
    if grid["alternativeRowScanning"]:
        rows[1::2] = rows[1::2, ::-1]
    return np.where(rows > 1e19, np.nan, rows), grid


def ingest(task):
    store, name, messages = task
    packed, scale, offset = None, 1.0, 0.0
    for k, (url, lead, first, last) in enumerate(sorted(messages, key=lambda m: m[1])):
        values, grid = decoded(get(url, first, last))
        if packed is None:
            low, high = np.nanmin(values, initial=0), np.nanmax(values, initial=1)
            offset, scale = (low + high) / 2, max(high - low, 1e-6) / 30000
            packed = np.empty((len(messages), *values.shape), "i2")
        packed[k] = np.nan_to_num(np.clip((values - offset) / scale, -32000, 32000), nan=-32768).astype("i2")
    array = zarr.create_array(
        os.path.join(store, name), shape=packed.shape, chunks=(len(messages), TILE, TILE), dtype="i2", zarr_format=2,
        compressors=numcodecs.Zstd(level=1), fill_value=-32768, overwrite=True)
    array[:] = packed
    array.attrs.update(scale=float(scale), offset=float(offset), leads=sorted(m[1] for m in messages), **grid)
    return len(messages)


def main(store):
    began = time.time()
    tasks = {}
    for file in json.load(sys.stdin):
        for name, *message in variables(file):
            tasks.setdefault(name, []).append(message)
    with ProcessPoolExecutor(2) as pool:
        messages = sum(pool.map(ingest, [(store, name, of) for name, of in tasks.items()]))
        peak = sum(peak_of(pid) for pid in [os.getpid(), *pool._processes])
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(one.ru_utime + one.ru_stime for one in used)
    print(json.dumps({"wall": time.time() - began, "processor": processor, "peak": peak, "messages": messages}))


def peak_of(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    main(sys.argv[1])
