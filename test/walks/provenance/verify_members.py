"""Verifies random values of answers from upstream's bytes: those that examples/verify.py computes, values that the rules of
docs/CONSISTENCY.md changed, and members computed from others. It shares no code with the server.

    python verify_members.py FOLDER --upstream http://127.0.0.1:9000 --values 10000
"""

import argparse, json, math, pathlib, random, sys
from collections import Counter
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "examples"))
from verify import Answer, Messages, instant, is_number

HOUR = timedelta(hours=1)
mean = lambda values: sum(values) / len(values)
FOLDS = {"precip_total": ("precip_amount", sum), "snow_total": ("snow_amount", sum), "cape_max": ("cape", max),
         "wind_speed_max": ("wind_speed", max), "wind_gust_max": ("wind_gust", max), "dew_point_max": ("dew_point", max),
         "dew_point_min": ("dew_point", min), "visibility_min": ("visibility", min), "snow_level": ("snow_level", min),
         "humidity_avg": ("humidity", mean), "cloud_cover_avg": ("cloud_cover", mean), "high": ("temperature", max),
         "low": ("temperature", min)}
COMPUTED = ("humidity", "feels_like")
WHOLE = ("cloud_cover", "cape", "precip_probability", "thunderstorm_probability")


def humidity(t, dew):
    steam = lambda kelvin: math.exp(17.625 * (kelvin - 273.15) / (243.04 + kelvin - 273.15))
    return 100 * min(1, steam(dew) / steam(t))


def feels_like(kelvin, rh, wind):
    """The heat index of the Weather Prediction Center, or the wind chill of the NWS, in kelvins."""
    t, mph = kelvin * 1.8 - 459.67, wind * 3600 / 1609.344
    if t <= 50:
        chill = 35.74 + 0.6215 * t + (0.4275 * t - 35.75) * mph ** 0.16 if mph > 3 else t
        return (min(t, chill) + 459.67) / 1.8
    index = (0.5 * (t + 61 + (t - 68) * 1.2 + rh * 0.094) + t) / 2
    if index < 80:
        return kelvin
    index = (-42.379 + 2.04901523 * t + 10.14333127 * rh - 0.22475541 * t * rh - 0.00683783 * t * t
             - 0.05481717 * rh * rh + 0.00122874 * t * t * rh + 0.00085282 * t * rh * rh - 0.00000199 * t * t * rh * rh)
    if rh < 13 and 80 <= t <= 112:
        index -= (13 - rh) / 4 * math.sqrt((17 - abs(t - 95)) / 17)
    elif rh > 85 and 80 <= t <= 87:
        index += (rh - 85) / 10 * (87 - t) / 5
    return (index + 459.67) / 1.8


def consistent(row):
    """The rules of docs/CONSISTENCY.md for one hour, in their order."""
    low = lambda name, most: row.update({name: min(row[name], most)}) if row.get(name) is not None else None
    high = lambda name, least: row.update({name: max(row[name], least)}) if row.get(name) is not None else None
    if row.get("temperature") is not None:
        low("dew_point", row["temperature"])
    if row.get("wind_speed") is not None:
        high("wind_gust", row["wind_speed"])
    amount, chance = row.get("precip_amount"), row.get("precip_probability")
    if amount is not None and (amount < 0.0127 or (chance == 0 and amount > 0)):
        amount = 0
    if chance is not None and amount is not None:
        chance = max(chance, min(100, math.ceil(100 * amount / 75))) if chance > 0 else chance
        amount = 0.013 if chance >= 15 and amount == 0 else amount
        chance = max(chance, 5) if amount >= 0.127 else chance
    row["precip_amount"], row["precip_probability"] = amount, chance
    if chance is not None:
        low("thunderstorm_probability", chance)
        if chance >= 55:
            high("cloud_cover", 60)
    names = ["cloud_cover_low", "cloud_cover_mid", "cloud_cover_high"]
    layers, total = [row.get(name) for name in names], row.get("cloud_cover")
    if total is not None and None not in layers:
        if max(layers) > total:
            layers = [math.floor(layer * total / max(layers) + 0.5) for layer in layers]
        elif sum(layers) == 0 and total > 0:
            layers[1] = total
        elif sum(layers) < min(total, 100):
            layers = [min(total, math.ceil(layer * total / sum(layers))) for layer in layers]
        row.update(zip(names, layers))
    if amount == 0:
        low("snow_amount", 0)
    return row


class Members(Answer):
    """Adds the rules of an hour, computed members and days."""

    def __init__(self, answer, messages):
        super().__init__(answer, messages)
        self.rows = {}

    def hour(self, time):
        """Values of an hour after the rules of consistency, their units, and why others cannot be derived."""
        if time in self.rows:
            return self.rows[time]
        raw, units, unknown = {}, {}, {}
        index = round((time - instant(self.table["hours_from"])) / HOUR)
        served = next((row for row in self.answer["hourly"] if instant(row["time"]) == time and "source" not in row), {})
        for name, origins in self.table["hours"].items():
            if not 0 <= index < len(origins) or origins[index] is None:
                continue
            origin = self.table["origins"][origins[index]]
            is_open = name.startswith("precip_type")  # the rules of types are not repeated here
            later = [step["by"] for step in origin.get("steps", []) if is_open or step["by"] != "consistency"]
            try:
                if later:
                    raise LookupError("changed by " + ", ".join(later))
                is_share = origin["interpolation"] == "bound"
                value, units[name] = self.share(name, origin, time) if is_share else self.derive(origin, time)
                raw[name] = math.floor(value + 0.5) if name.startswith(WHOLE) else value
            except LookupError as error:
                unknown[name] = str(error)
                if is_number(served.get(name)):  # the others depend on it
                    way = next((way for (_, other), way in self.ways.items() if other.startswith(name)), {"unit": "%"})
                    scale, offset, _ = self.unit(name, way["unit"])
                    raw[name] = (served[name] - offset) / scale
        values = consistent(dict(raw))
        t, dew, wind = (values.get(name) for name in ("temperature", "dew_point", "wind_speed"))
        if t is not None and dew is not None:
            values["humidity"], units["humidity"] = humidity(t, dew), "%"
            if wind is not None:
                values["feels_like"], units["feels_like"] = feels_like(t, values["humidity"], wind), "K"
        for name, inputs in (("humidity", ("temperature", "dew_point")), ("feels_like", ("temperature", "dew_point", "wind_speed"))):
            for each in inputs:
                if each in unknown:
                    unknown[name] = unknown[each]
        self.rows[time] = (values, units, unknown)
        return self.rows[time]

    def origin(self, field, time):
        """The origin of a field in the hour that ends at a time; None beyond the answer."""
        index = round((time - instant(self.table["hours_from"])) / HOUR)
        origins = self.table["hours"].get(field, [])
        return self.table["origins"][origins[index]] if 0 <= index < len(origins) and origins[index] is not None else None

    def share(self, field, origin, time):
        """The chance of an hour within a longer interval, by the amounts of its hours (docs/CONSISTENCY.md)."""
        index = origin["messages"][0]
        chance, unit, end = self.read(index)
        window = int(self.table["messages"][index]["variable"].rsplit("_", 1)[1].rstrip("h"))
        amounts, dryness = {}, max(0.005, 1 - chance / 100)
        for hour in (end - n * HOUR for n in range(window)):
            own, amount = self.origin(field, hour), self.origin("precip_amount", hour)
            if own is None or amount is None:
                raise LookupError("an hour of the interval has no origin")
            if own["messages"] == origin["messages"]:
                amounts[hour] = self.derive(amount, hour)[0]
            elif own["interpolation"] == "bound":
                raise LookupError("its interval overlaps another")
            else:
                dryness /= max(0.005, 1 - self.derive(own, hour)[0] / 100)
        total, greatest = sum(amounts.values()), max(amounts.values())
        power = amounts[time] / math.sqrt(total * greatest) if total > 0 else 1 / math.sqrt(len(amounts))
        return min(chance, 100 * (1 - min(1, dryness) ** min(1, power)), 100 if total > 0 else 14), unit

    def verdict(self, kind, label, row, member, index, time):
        """Served value, derived value and verdict of a member."""
        served = row[member]
        try:
            if kind == "day":
                return self.day(row, member)
            if kind == "hour":
                values, units, unknown = self.hour(time)
                if member in unknown:
                    return served, None, unknown[member]
                if values.get(member) is None or member not in units:
                    return served, None, "no origin"
                return self.compare(member, served, values[member], units[member])
            return self.check(member, served, index, time)
        except ValueError as error:
            return served, str(error), "different"

    def day(self, row, member):
        """A total, mean or extreme of the hours from 06:00 on a local date to 06:00 on the next date, or of one half."""
        field, fold = FOLDS[member]
        zone = ZoneInfo(self.answer["location"]["timezone"])
        at = lambda days, hour: datetime.combine(datetime.fromisoformat(row["date"]).date() + timedelta(days=days),
                                                 datetime.min.time().replace(hour=hour), zone).astimezone(timezone.utc)
        first, last = at(0, 18 if member == "low" else 6), at(0, 18) if member == "high" else at(1, 6)
        hours = [first + n * HOUR for n in range(round((last - first) / HOUR))]
        values = []
        for time in (hours if fold is not sum else [hour + HOUR for hour in hours]):
            found, units, unknown = self.hour(time)
            if field in unknown or found.get(field) is None or field not in units:
                return row[member], None, unknown.get(field, "an hour has no origin")
            values.append(found[field])
        value = fold(values)
        if member in ("high", "low"):
            value = self.extreme(member, first, last, value)
        return self.compare(member, row[member], value, units[field])

    def extreme(self, member, first, last, own):
        """The extreme of NBM's 12 hours that share most with the half, or the hours' own where it lies outside the half."""
        sign, fold = (1, max) if member == "high" else (-1, min)
        name, best = f"temperature_{'max' if sign > 0 else 'min'}_12h", (7, None, None)
        for period in self.table["periods"].get(name, []):
            end = instant(period["end"])
            shared = (min(end, last) - max(end - 12 * HOUR, first)) / HOUR
            if shared > best[0]:
                best = (shared, end, period["origin"])
        if best[1] is None:
            return own
        value, _ = self.derive(self.table["origins"][best[2]], best[1])
        window = [self.hour(best[1] - n * HOUR) for n in range(13)]
        known = [values["temperature"] for values, _, _ in window if "temperature" in values]
        if not known or sign * fold(known) <= sign * own + 1e-9:
            return fold(value, own)
        return own + sign * max(0, sign * (value - fold(known)))

    def members(self):
        for label, member, served, index, time in self.origins():
            row = {member: served}
            if label.startswith("hourly"):
                yield "hour", label, row, member, index, time
            elif index is not None:
                yield "origin", label, row, member, index, time
        for row in self.answer.get("hourly", []):
            for member in COMPUTED:
                if is_number(row.get(member)) and "source" not in row:
                    yield "hour", f"hourly {row['time']}", row, member, None, instant(row["time"])
        for row in self.answer.get("daily", [])[1:]:
            for member in FOLDS:
                if is_number(row.get(member)):
                    yield "day", f"daily {row['date']}", row, member, None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--upstream")
    parser.add_argument("--values", type=int, default=1000, help="number of values to verify")
    chosen = parser.parse_args()
    messages, pick = Messages(chosen.upstream), random.Random(47)
    answers = [Members(json.loads(path.read_text()), messages) for path in sorted(chosen.folder.glob("*.json"))]
    pool = [(answer, each) for answer in answers for each in answer.members()]
    days = [entry for entry in pool if entry[1][0] == "day"]
    chosen_days = pick.sample(days, min(len(days), chosen.values // 10))
    others = [entry for entry in pool if entry[1][0] != "day"]
    sample = chosen_days + pick.sample(others, min(len(others), chosen.values - len(chosen_days)))
    sample.sort(key=lambda entry: entry[1][1])  # the files of an hour are read together
    equal, other, different = Counter(), Counter(), []
    for answer, (kind, label, row, member, index, time) in sample:
        served, derived, verdict = answer.verdict(kind, label, row, member, index, time)
        name = f"{label.split(' ')[0]}.{member}"
        if verdict == "equal":
            equal[name] += 1
        elif verdict == "different":
            place = answer.answer["location"]
            different.append(f"{place['lat']},{place['lon']} {label} {member}: served {served}, derived {derived}")
        else:
            other[f"{name}: {verdict}"] += 1
    print(json.dumps({"values": len(sample), "equal": sum(equal.values()), "different": different, "members": dict(sorted(equal.items())),
                      "not_derived": dict(sorted(other.items())), "fetched_bytes": messages.fetched}))


if __name__ == "__main__":
    main()
