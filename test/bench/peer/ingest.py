#!/usr/bin/env python3
"""The peer's ingest: .idx -> byte ranges -> ecCodes -> Zarr v3 shards on the native grid, one store a run, published by a pointer.

  ingest.py --mirror DIR_OR_URL --out DIR [--workers N] [--only nbm,hrrr,rtma]

A worker owns one variable of one run at a time: its whole time axis is decoded into one uint16 cube, then cut into chunks of
(all times, 8, 8) and written as one shard. Ranges are read ahead by a thread. The last line is JSON.
"""
import argparse, ctypes, http.client, json, multiprocessing as mp, os, queue, re, resource, shutil, sys, threading, time, urllib.parse
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from products import DATASETS

# Large blocks are kept by malloc instead of being unmapped and faulted in again for every message.
ctypes.CDLL(None).mallopt(-3, 1 << 30)
ctypes.CDLL(None).mallopt(-1, 2_000_000_000)


# ------------------------------------------------------------------------------------------------------------- upstream
class Upstream:
    """Bucket listings and byte ranges of a mirror (URL or folder). Keeps one connection a thread."""

    def __init__(self, where):
        self.url = urllib.parse.urlsplit(where) if where.startswith('http') else None
        self.root, self.local = where, threading.local()

    def get(self, host, path, span=None):
        if not self.url:
            with open(os.path.join(self.root, host, path), 'rb') as f:
                if span is None:
                    return f.read()
                f.seek(span[0])
                return f.read(span[1] - span[0]) if span[1] else f.read()
        headers = {'Range': f'bytes={span[0]}-{span[1] - 1 if span[1] else ""}'} if span else {}
        for attempt in range(4):
            try:
                c = getattr(self.local, 'c', None)
                if c is None:
                    c = self.local.c = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=60)
                c.request('GET', f'{self.url.path}/{host}/{path}', headers=headers)
                r = c.getresponse()
                body = r.read()
                if r.status in (200, 206):
                    return body
                if r.status < 500:
                    raise SystemExit(f'{r.status} for {host}/{path}')
            except (OSError, http.client.HTTPException):
                self.local.c = None
            time.sleep(0.2 * 2 ** attempt)
        raise SystemExit(f'gave up on {host}/{path}')

    def keys(self, host):
        if not self.url:
            base = os.path.join(self.root, host)
            return sorted(os.path.relpath(os.path.join(d, f), base) for d, _, fs in os.walk(base) for f in fs)
        out, token = [], ''
        while token is not None:
            xml = self.get(host, '?list-type=2' + (f'&continuation-token={urllib.parse.quote(token)}' if token else '')).decode()
            out += re.findall(r'<Key>([^<]+)</Key>', xml)
            token = (re.findall(r'<NextContinuationToken>([^<]+)<', xml) or [None])[0]
        return out


def window(text):
    m = re.match(r'(\d+)-(\d+) (hour|day) (acc|max|min|ave)', text)
    return (int(m[2]) - int(m[1])) * (24 if m[3] == 'day' else 1) if m else 0


def plan(up, dataset, everything):
    """The newest run: its id, and for every variable [(lead, key, start, end)]."""
    host, pattern, variables, _ = DATASETS[dataset]
    runs = {}
    for key in everything:
        if m := re.match(pattern, key):
            runs.setdefault(m[1] + m[2], []).append((int(m[3]) if m[3].isdigit() else 0, key))
    if not runs:
        raise SystemExit(f'no run of {dataset} in the listing')
    run = max(runs)
    files = sorted(runs[run])
    with ThreadPoolExecutor(8) as pool:
        indexes = list(pool.map(lambda f: up.get(host, f[1] + '.idx').decode(), files))
    want = {(v.element, v.level, v.window, v.extra): v for v in variables}
    probes = {}
    for v in variables:
        probes.setdefault((v.element, v.level), []).append(v)
    messages = {v.name: [] for v in want.values()}
    for (lead, key), text in zip(files, indexes):
        rows = [line.split(':', 6) for line in text.splitlines()]
        for n, row in enumerate(rows):
            for v in probes.get((row[3], row[4]), ()):
                if window(row[5]) == v.window and (row[6].startswith(v.extra) if v.extra else row[6] == ''):
                    messages[v.name].append((lead, key, int(row[1]), int(rows[n + 1][1]) if n + 1 < len(rows) else None))
    return run, {v.name: (v, messages[v.name]) for v in variables if messages[v.name]}, sum(len(t) for t in indexes)


# --------------------------------------------------------------------------------------------------------------- decode
def grid_of(message):
    import eccodes as ec
    h = ec.codes_new_from_message(message)
    g = lambda k: ec.codes_get(h, k)
    out = dict(nx=g('Nx'), ny=g('Ny'), lat1=g('latitudeOfFirstGridPointInDegrees'), lon1=g('longitudeOfFirstGridPointInDegrees'), lov=g('LoVInDegrees'),
               latin=g('Latin1InDegrees'), dx=g('DxInMetres'), radius={1: lambda: float(g('scaledValueOfRadiusOfSphericalEarth')), 6: lambda: 6371229.0}[g('shapeOfTheEarth')]())
    ec.codes_release(h)
    return out


def decode(message, missing):
    """float64 in stream order, and whether odd rows run backwards."""
    import eccodes as ec
    h = ec.codes_new_from_message(message)
    ec.codes_set(h, 'missingValue', missing)
    flip = bool(ec.codes_get(h, 'scanningMode') & 16)
    values = ec.codes_get_array(h, 'values')
    ec.codes_release(h)
    return values, flip


def quantise(values, cube, v, ny, nx, flip, edge, rows):
    """values -> cube[:, :, :nx] (strips, edge, nx) of uint16; in blocks that stay in the cache."""
    field = values.reshape(ny, nx)
    gain, bias = 1 / v.scale, v.zero + 0.5
    for a in range(0, ny, rows):
        w = field[a:a + rows]
        w *= gain
        w += bias
        n = len(w)
        whole = n // edge
        for src, dst in ((w[:whole * edge].reshape(whole, edge, nx), cube[a // edge:a // edge + whole]), (w[None, whole * edge:], cube[a // edge + whole:a // edge + whole + 1, :n - whole * edge] if n % edge else None)):
            if dst is None or not src.size:
                continue
            np.copyto(dst[:, 0::2, :nx], src[:, 0::2], casting='unsafe')
            np.copyto(dst[:, 1::2, :nx], src[:, 1::2, ::-1] if flip else src[:, 1::2], casting='unsafe')


# ---------------------------------------------------------------------------------------------------------------- store
def array_meta(path, v, leads, ny, nx, edge, level):
    """Metadata by zarr-python: one shard for the array, chunks of (all times, edge, edge), time fastest inside a chunk."""
    import zarr
    from zarr.codecs import TransposeCodec, ZstdCodec
    t, c = len(leads), edge
    return zarr.create_array(path, shape=(t, ny, nx), dtype='u2', chunks=(t, c, c), shards=(t, -(-ny // c) * c, -(-nx // c) * c), fill_value=0,
                             filters=[TransposeCodec(order=(1, 2, 0))], compressors=[ZstdCodec(level=level)],
                             attributes={'leads': leads, 'scale_factor': v.scale, 'add_offset': -v.zero * v.scale, 'zero': v.zero, 'missing_value': 0})


def write_direct(path, cube, t, ny, nx, edge, level):
    """The shard file itself: zstd frames of the chunks, then the index and its crc32c, as the Zarr v3 sharding codec lays them out."""
    import google_crc32c, zstandard as zstd
    strips, columns = cube.shape[0], -(-nx // edge)
    compress = zstd.ZstdCompressor(level=level, write_content_size=True)
    raw = np.empty((columns, edge, edge, t), np.uint16)
    n = raw.nbytes // columns
    segments = np.empty((columns, 2), '<u8')
    segments[:, 0], segments[:, 1] = np.arange(columns) * n, n
    segments = segments.tobytes()
    index = np.empty((strips, columns, 2), '<u8')
    os.makedirs(os.path.join(path, 'c', '0', '0'), exist_ok=True)
    at = 0
    with open(os.path.join(path, 'c', '0', '0', '0'), 'wb', buffering=0) as out:
        for s in range(strips):
            np.copyto(raw, cube[s].reshape(t, edge, columns, edge).transpose(2, 1, 3, 0))
            packed = compress.multi_compress_to_buffer(zstd.BufferWithSegments(raw, segments), threads=0)
            body = b''.join(packed)
            sizes = np.fromiter(map(len, packed), '<u8', columns)
            index[s, :, 0] = at + np.cumsum(sizes) - sizes
            index[s, :, 1] = sizes
            at += out.write(body)
        tail = index.tobytes()
        out.write(tail + google_crc32c.value(tail).to_bytes(4, 'little'))


# --------------------------------------------------------------------------------------------------------------- worker
def fetcher(up, host, messages, out):
    for m in messages:
        out.put((m, up.get(host, m[1], (m[2], m[3]))))


def work(tasks, turn, results, args):
    up = Upstream(args.mirror)
    block = np.empty(0, np.uint16)
    while True:
        with turn.get_lock():
            k = turn.value
            turn.value += 1
        if k >= len(tasks):
            break
        dataset, path, v, messages, grid, edge = tasks[k]
        nx, ny, t = grid['nx'], grid['ny'], len(messages)
        strips, wide = -(-ny // edge), -(-nx // edge) * edge
        if block.size < strips * t * edge * wide:
            del block
            block = np.empty(strips * t * edge * wide, np.uint16)
        cube = block[:strips * t * edge * wide].reshape(strips, t, edge, wide)
        cube[:, :, :, nx:] = 0
        cube[-1, :, ny - (strips - 1) * edge:] = 0
        ahead = queue.Queue(3)
        threading.Thread(target=fetcher, args=(up, DATASETS[dataset][0], messages, ahead), daemon=True).start()
        clock = dict(wait=0.0, decode=0.0, quantise=0.0, write=0.0)
        size = 0
        for n in range(t):
            t0 = time.perf_counter()
            _, raw = ahead.get()
            t1 = time.perf_counter()
            values, flip = decode(raw, -v.zero * v.scale)
            t2 = time.perf_counter()
            quantise(values, cube[:, n], v, ny, nx, flip, edge, 48 if edge == 8 else 64)
            t3 = time.perf_counter()
            del values
            size += len(raw)
            clock['wait'] += t1 - t0; clock['decode'] += t2 - t1; clock['quantise'] += t3 - t2
        t3 = time.perf_counter()
        array_meta(path, v, [m[0] for m in messages], ny, nx, edge, args.level)
        write_direct(path, cube, t, ny, nx, edge, args.level)
        clock['write'] += time.perf_counter() - t3
        results.put((t, t * nx * ny, size, clock))
    u = resource.getrusage(resource.RUSAGE_SELF)
    results.put(('end', u.ru_maxrss, u.ru_utime + u.ru_stime))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--mirror', required=True); ap.add_argument('--out', required=True)
    ap.add_argument('--workers', type=int, default=2); ap.add_argument('--only', default='nbm,hrrr,rtma')
    ap.add_argument('--level', type=int, default=1, help='zstd level')
    args = ap.parse_args()
    t0 = time.perf_counter()
    import eccodes, zarr                               # before the fork: paid once
    up = Upstream(args.mirror)
    tasks, runs, size = [], {}, 0
    for dataset in args.only.split(','):
        host, _, _, edge = DATASETS[dataset]
        run, variables, n = plan(up, dataset, up.keys(host))
        size += n
        stage = os.path.join(args.out, dataset, run + '.zarr.part')
        shutil.rmtree(stage, ignore_errors=True)
        v, messages = next(iter(variables.values()))
        grid = grid_of(up.get(host, messages[0][1], (messages[0][2], messages[0][3])))
        zarr.create_group(stage, attributes=dict(dataset=dataset, run=run, grid=grid, edge=edge))
        tasks += [(dataset, os.path.join(stage, v.name), v, messages, grid, edge) for v, messages in variables.values()]
        runs[dataset] = run
    tasks.sort(key=lambda t: -len(t[3]) * t[4]['nx'] * t[4]['ny'])
    turn, results = mp.Value('i', 0), mp.Queue()
    team = [mp.Process(target=work, args=(tasks, turn, results, args), daemon=True) for _ in range(args.workers)]
    for p in team: p.start()
    messages = points = 0
    left, rss, cpu, clock = args.workers, [], 0.0, {}
    while left:
        try:
            r = results.get(timeout=1)
        except queue.Empty:
            if any(p.exitcode for p in team):
                sys.exit('a worker failed; nothing was published')
            continue
        if r[0] == 'end':
            left -= 1; rss.append(r[1]); cpu += r[2]
            continue
        messages += r[0]; points += r[1]; size += r[2]
        for k, s in r[3].items(): clock[k] = clock.get(k, 0) + s
    for p in team: p.join()
    stored = 0
    for dataset, run in runs.items():
        base = os.path.join(args.out, dataset)
        final, stage = os.path.join(base, run + '.zarr'), os.path.join(base, run + '.zarr.part')
        stored += sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(stage) for f in fs)
        shutil.rmtree(final, ignore_errors=True)
        os.rename(stage, final)
        with open(os.path.join(base, 'current.part'), 'w') as f:
            f.write(run + '.zarr')
        os.replace(os.path.join(base, 'current.part'), os.path.join(base, 'current'))
    wall = time.perf_counter() - t0
    u = resource.getrusage(resource.RUSAGE_SELF)
    cpu += u.ru_utime + u.ru_stime
    out = dict(wall_s=round(wall, 2), cpu_s=round(cpu, 2), peak_rss_mb=round((sum(rss) + u.ru_maxrss) / 1024), worker_rss_mb=[r // 1024 for r in rss], upstream_mb=round(size / 1e6, 1),
               stored_mb=round(stored / 1e6, 1), messages=messages, messages_per_s=round(messages / wall, 1), points_per_s=round(points / wall), arrays=len(tasks), workers=args.workers,
               busy_s={k: round(s, 1) for k, s in clock.items()}, runs=runs)
    print(f"{messages} messages, {points / 1e6:.0f} M points: {wall:.1f} s wall, {cpu:.1f} s CPU, {out['peak_rss_mb']} MB, {out['upstream_mb']} MB in, {out['stored_mb']} MB stored, {out['messages_per_s']} messages/s, {points / wall / 1e6:.0f} M points/s")
    print(json.dumps(out))


if __name__ == '__main__':
    main()
