"""Re-derives the values of an answer from NOAA's bytes, without Hexcast: fetches the byte ranges that the answer names,
compares their digests, decodes them with ecCodes, and computes each served value again.

    pip install eccodes numpy
    python verify.py 'http://127.0.0.1:8080/v1/weather?location=Denver&include=current,hourly,daily,provenance'
    python verify.py answer.json --upstream http://127.0.0.1:9000   # the simulator's address instead of NOAA's
"""

import argparse, gzip, hashlib, json, math, sys, tempfile, urllib.request
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import eccodes as ec
import numpy as np

UNITS = {"K": "temperature", "m/s": "wind_speed", "Pa": "pressure", "mm": "precip_amount", "m": "altitude"}
SHOWN = {"F": (1.8, -459.67, 1), "C": (1, -273.15, 1), "mph": (3600 / 1609.344, 0, 1), "kph": (3.6, 0, 1),
         "inHg": (1 / 3386.389, 0, 2), "hPa": (0.01, 0, 1), "mi": (1 / 1609.344, 0, 2), "km": (0.001, 0, 2),
         "in": (1 / 25.4, 0, 3), "mm": (1, 0, 2), "ft": (1 / 0.3048, 0, 0), "m": (1, 0, 0)}
KEEP = 100_000_000  # values of decoded fields in memory, 4 bytes each
instant = lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))
distance = lambda a, b, unit: abs((a - b + 180) % 360 - 180) if unit == "deg" else abs(a - b)
is_number = lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)


class Messages:
    """Fetches, checks and decodes the messages of answers, and reads them at a place."""

    def __init__(self, upstream=None):
        self.upstream, self.fields, self.grids, self.places = upstream, {}, {}, {}
        self.kept = self.fetched = 0

    def fetch(self, url, byte_range, sha256):
        host, path = urlsplit(url).netloc, urlsplit(url).path
        address = f"{self.upstream.rstrip('/')}/{host}{path}" if self.upstream else url
        request = urllib.request.Request(address, headers={"Range": f"bytes={byte_range[0]}-{byte_range[1]}"})
        with urllib.request.urlopen(request, timeout=60) as reply:
            data = reply.read()
        self.fetched += len(data)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ValueError(f"{url} bytes {byte_range}: expected the digest {sha256}")
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data

    def field(self, url, byte_range, sha256, number):
        """Values by row and column, whether winds are relative to the grid, members, step of the packing, and grid."""
        key = (url, byte_range[0], number)
        if key not in self.fields:
            with tempfile.TemporaryFile() as file:
                file.write(self.fetch(url, byte_range, sha256))
                file.seek(0)
                ec.codes_grib_multi_support_on()
                for _ in range(int(number.split(".")[1]) if number and "." in number else 1):
                    handle = ec.codes_grib_new_from_file(file)
                if handle is None:
                    raise ValueError(f"{url} bytes {byte_range}: no GRIB2 message")
            ec.codes_set(handle, "missingValue", 1e30)
            rows = ec.codes_get_array(handle, "latLonValues").reshape(ec.codes_get(handle, "Nj"), -1, 3)
            values = np.where(rows[..., 2] == 1e30, np.nan, rows[..., 2])
            relative = ec.codes_get(handle, "uvRelativeToGrid")
            members = ec.codes_get(handle, "totalNumberOfForecastProbabilities") if ec.codes_is_defined(
                handle, "totalNumberOfForecastProbabilities") else None
            step = 2.0 ** ec.codes_get(handle, "binaryScaleFactor") * 10.0 ** -ec.codes_get(handle, "decimalScaleFactor")
            grid = ec.codes_get(handle, "md5GridSection")
            ec.codes_release(handle)
            self.kept += values.size
            if self.kept > KEEP:
                self.fields.clear()
                self.kept = values.size
            if grid not in self.grids:
                self.grids[grid] = (rows[..., 0].copy(), rows[..., 1].copy())
            self.fields[key] = (values.astype(np.float32), relative, members, step, grid)
        return self.fields[key]

    def place(self, grid, lat, lon):
        """Column and row of the grid point before a place, and the place's shares of the steps to the next ones."""
        if (grid, lat, lon) not in self.places:
            lats, lons = self.grids[grid]
            x, y = ((lons - lon + 540) % 360 - 180) * math.cos(math.radians(lat)), lats - lat
            v, u = map(float, np.unravel_index(np.argmin(x * x + y * y), x.shape))
            for _ in range(6):  # Newton's method on the bilinear surface
                i, j = min(max(int(u), 0), x.shape[1] - 2), min(max(int(v), 0), x.shape[0] - 2)
                a, b, p, q = u - i, v - j, x[j:j + 2, i:i + 2], y[j:j + 2, i:i + 2]
                at = [(1 - b) * ((1 - a) * m[0, 0] + a * m[0, 1]) + b * ((1 - a) * m[1, 0] + a * m[1, 1]) for m in (p, q)]
                slopes = [[(1 - b) * (m[0, 1] - m[0, 0]) + b * (m[1, 1] - m[1, 0]),
                           (1 - a) * (m[1, 0] - m[0, 0]) + a * (m[1, 1] - m[0, 1])] for m in (p, q)]
                du, dv = np.linalg.solve(np.array(slopes), np.array(at))
                u, v = u - du, v - dv
            self.places[grid, lat, lon] = (i, j, u - i, v - j)
        return self.places[grid, lat, lon]

    def value(self, message, file, how, lat, lon):
        """The value of a message at a place; None if it has none there."""
        url = file["url"]
        field = self.field(url, message["byte_range"], message["sha256"], message["message"])
        values, relative, members, step, grid = field
        lats, lons = self.grids[grid]
        i, j, a, b = self.place(grid, lat, lon)
        weights = np.array([[(1 - a) * (1 - b), a * (1 - b)], [(1 - a) * b, a * b]])
        corner = lambda array: array[j:j + 2, i:i + 2].astype(float)
        method, self.spread = how["method"], 0
        if method == "members":
            return None if np.isnan(corner(values)).all() else float(members)
        if method in ("bilinear", "nearest"):
            scale, offset = how.get("scale", 1), how.get("offset", 0)
            four = corner(values).copy()
            for none in how.get("missing", []):
                four[np.abs(four - none) <= max(step / 2, abs(none) * 1e-6)] = np.nan
            if "v_sha256" in message:  # a height above sea level, without that of the ground
                ground = self.field(url, message["v_byte_range"], message["v_sha256"], message["v_message"])[0]
                four = np.maximum(four - corner(ground), 0)
            low, high = how["range"]
            four = four * scale + offset
            if method == "nearest":
                nearest = four[int(b >= 0.5), int(a >= 0.5)]
                if file["dataset_id"].startswith("mrms-"):
                    return None if nearest <= -2 else max(0.0, float(nearest))  # -1 is dry, -3 without coverage
                return None if np.isnan(nearest) else float(nearest)
            ease = max(abs(step * scale) / 2, min(how.get("quantum", 0), (high - low) / 200))
            weights[~((four >= low - ease) & (four <= high + ease))] = 0
            total = weights.sum()
            self.spread = float(np.nanmax(four) - np.nanmin(four)) if total > 0.001 else 0
            return float(min(high, max(low, np.nansum(weights * four) / total))) if total > 0.001 else None
        if method == "direction":
            turn = np.radians(corner(values))
            speed = 1
            if "v_sha256" in message:
                speed = corner(self.field(url, message["v_byte_range"], message["v_sha256"], message["v_message"])[0])
            east, north = (float((weights * np.maximum(speed, 0.01) * part).sum()) for part in (np.sin(turn), np.cos(turn)))
            return math.degrees(math.atan2(east, north)) % 360
        second = self.field(url, message["v_byte_range"], message["v_sha256"], message["v_message"])[0]
        u, v = corner(values), corner(second)
        if relative:  # the direction of the grid's rows at its points, counterclockwise from east
            left, right = max(i - 1, 0), min(i + 2, lons.shape[1] - 1)
            turn = np.empty((2, 2))
            for row in (0, 1):
                for k in (0, 1):
                    west, east = max(i + k - 1, left), min(i + k + 1, right)
                    dx = (lons[j + row, east] - lons[j + row, west] + 540) % 360 - 180
                    dx *= math.cos(math.radians(lats[j + row, i + k]))
                    turn[row, k] = math.atan2(lats[j + row, east] - lats[j + row, west], dx)
            u, v = u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn)
        east, north = float((weights * u).sum()), float((weights * v).sum())
        return math.hypot(east, north) if method == "wind_speed" else math.degrees(math.atan2(-east, -north)) % 360


class Answer:
    """The values of an answer with include=provenance, computed again."""

    def __init__(self, answer, messages):
        self.answer, self.messages, self.table = {**answer, "place": answer["provenance"]["cell"]}, messages, answer["provenance"]
        self.ways = {(way["dataset_id"], way["variable"]): way for way in self.table["samplings"]}
        self.units = answer["units"]

    def unit(self, member, unit):
        """Scale, offset and decimals from the unit of a message to that of the answer."""
        name = "visibility" if member.startswith("visibility") else UNITS.get(unit)
        scale, offset, decimals = SHOWN[self.units[name]] if name else (1, 0, 0)
        return scale, offset, decimals - 1 if member.startswith("snow_") and decimals else decimals

    def read(self, index, exact=False):
        """The stated value of a message, its unit and its time; a ValueError if its bytes do not round to this value."""
        message = self.table["messages"][index]
        file = self.table["files"][message["file"]]
        how, place = self.ways[file["dataset_id"], message["variable"]], self.answer["location" if exact else "place"]
        stated, step = message["value"], how.get("quantum", 0)
        if message["sha256"] is None:
            raise LookupError("its digest was not recorded")
        value = self.messages.value(message, file, how, place["lat"], place["lon"])
        near = step / 2 + 0.002 * self.messages.spread + (1.5 if how["unit"] == "deg" else abs(stated) * 2e-5 + 0.02 * step)
        if value is None or distance(value, stated, how["unit"]) > near:
            raise ValueError(f"{file['url']} message {message['message']} has {value} {message['variable']}, not {stated}")
        return stated, how["unit"], instant(file["run"]) + timedelta(hours=file["lead_hours"])

    def derive(self, origin, time):
        """The value of an origin before later steps, and its unit."""
        kind, weights = origin["interpolation"], origin.get("weights", [1])
        if kind == "bound":
            raise LookupError("it is a share of the probability of a longer interval")
        values, units, times = zip(*(self.read(index, kind == "pixel") for index in origin["messages"]))
        if kind in ("linear", "direction") and len(times) == 2 and times[0] < times[1]:
            share = (time - times[0]) / (times[1] - times[0])
            if abs(weights[1] - share) > 1e-6 or abs(weights[0] + share - 1) > 1e-6:
                raise ValueError(f"the weights at {time} are {weights}, not {1 - share}, {share}")
        value = sum(a * b for a, b in zip(values, weights))
        if kind == "direction" and len(values) > 1:
            value = (values[0] + ((values[1] - values[0] + 540) % 360 - 180) * weights[1]) % 360
        if kind == "smooth" and len(values) > 1:
            after = next(k for k, at in enumerate(times) if at > time)
            margin, pair = 0.2 * (max(values) - min(values)), values[after - 1:after + 1]
            value = min(max(pair) + margin, max(min(pair) - margin, value))
        return value, units[0]

    def compare(self, member, served, value, unit, near=0):
        """The served value, the derived value in its unit, and the verdict."""
        scale, offset, decimals = self.unit(member, unit)
        shown = value * scale + offset
        is_equal = distance(served, shown, unit) <= near * scale + 0.501 * 10 ** -decimals + 1e-6 * abs(shown)
        return served, round(shown, decimals + 1), "equal" if is_equal else "different"

    def check(self, member, served, index, time):
        """Compares a served value with what its origin gives."""
        origin = self.table["origins"][index]
        if origin.get("adjusted"):
            return served, None, "changed by " + ", ".join(step["by"] for step in origin["steps"])
        try:
            return self.compare(member, served, *self.derive(origin, time))
        except LookupError as error:
            return served, None, str(error)
        except ValueError as error:
            return served, str(error), "different"

    def origins(self):
        """Label, member, served value, index of the origin and time of each value that messages have."""
        table = self.table
        for row in self.answer.get("hourly", []):
            time, is_past = instant(row["time"]), "source" in row
            listed = table.get("past", {}) if is_past else {"from": table["hours_from"], "hours": table["hours"]}
            for member, served in row.items():
                indexes = listed.get("hours", {}).get(member)
                if is_number(served) and indexes:
                    hour = round((time - instant(listed["from"])) / timedelta(hours=1))
                    yield f"{'past' if is_past else 'hourly'} {row['time']}", member, served, indexes[hour], time
        current = self.answer.get("current", {})
        for member, index in table["current"]["origins"].items():
            if is_number(current.get(member)):
                yield "current", member, current[member], index, instant(current["time"])

    def values(self):
        """Label, member, served and derived value, and verdict of each value that messages have."""
        for label, member, served, index, time in self.origins():
            if index is not None:
                yield label, member, *self.check(member, served, index, time)


def point_values(answer, messages):
    """Label, member, served and derived value, and verdict of each value of an answer of /v1/point."""
    for number, result in enumerate(answer["results"]):
        table = result.get("provenance")
        if table is None:
            continue
        reader = Answer({"provenance": table, "units": {}}, messages)
        series = result.get("series", {})
        for member, indexes in table["values"].items():
            served = series["data"][member] if series else [result["values"][member]]
            for value, index in zip(served, indexes):
                if index is None or value is None:
                    continue
                scale, offset, decimals = SHOWN.get(answer["units"][member], (1, 0, 0))
                try:
                    shown = reader.read(index)[0] * scale + offset
                    near = 0.501 * 10 ** -(decimals - 1 if member.startswith("snow_") else decimals) + 1e-6 * abs(shown)
                    yield f"point {number}", member, value, round(shown, 4), "equal" if abs(value - shown) <= near else "different"
                except ValueError as error:
                    yield f"point {number}", member, value, str(error), "different"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answer", help="address or file of an answer with include=provenance")
    parser.add_argument("--upstream", help="address to fetch from instead of the hosts of NOAA")
    chosen = parser.parse_args()
    with urllib.request.urlopen(chosen.answer, timeout=60) if "://" in chosen.answer else open(chosen.answer, "rb") as file:
        body, messages = json.load(file), Messages(chosen.upstream)
    answer, counts = None if "results" in body else Answer(body, messages), {}
    for label, member, served, derived, verdict in answer.values() if answer else point_values(body, messages):
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"{label} {member}: served {served}, derived {derived}: {verdict}")
    print(json.dumps(counts))
    sys.exit(0 if counts.get("equal") and not counts.get("different") else 1)


if __name__ == "__main__":
    main()
