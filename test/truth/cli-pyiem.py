"""Writes cli-expected.json: what pyIEM reads in every CLI fixture.

    python3 -m venv V && V/bin/pip install pyiem==1.28.1 && V/bin/python test/truth/cli-pyiem.py FIXTURES/text/cli

Traces are "T". A text that pyIEM refuses has its error instead of a list.
"""
import json
import logging
import re
import sys
from datetime import datetime, timezone
from pathlib import Path

from pyiem.nws.products.cli import parser
from pyiem.reference import TRACE_VALUE

logging.disable(logging.CRITICAL)
# Texts with several stations are looked up by name.
NAMES = ["ANCHORAGE AK", "KING SALMON", "KODIAK", "BETHEL", "SAINT PAUL ISLAND", "COLD BAY"]
PROVIDER = {f"PA{i:02d}": {"name": name, "state": "AK"} for i, name in enumerate(NAMES)}
FIELDS = [
    "temperature_maximum", "temperature_minimum", "temperature_average",
    "temperature_maximum_normal", "temperature_minimum_normal", "temperature_average_normal",
    "temperature_maximum_record", "temperature_maximum_record_years",
    "temperature_minimum_record", "temperature_minimum_record_years",
    "precip_today", "precip_month", "precip_jan1", "precip_today_normal",
    "precip_today_record", "precip_today_record_years",
    "snow_today", "snow_month", "snow_jul1", "snow_today_normal",
    "snow_today_record", "snow_today_record_years", "snowdepth",
]


def plain(value):
    if isinstance(value, list):
        return value
    return "T" if value == TRACE_VALUE else value


def read(path):
    text = path.read_bytes().decode("latin-1")
    issued = re.search(r"\b[A-Z]{3} +([A-Z]{3}) +(\d{1,2}) +(\d{4})", text)
    now = datetime.strptime(" ".join(issued.groups()), "%b %d %Y").replace(hour=12, tzinfo=timezone.utc)
    try:
        product = parser(text, utcnow=now, nwsli_provider=PROVIDER)
    except Exception as error:  # noqa: BLE001 pyIEM raises many kinds
        return f"{type(error).__name__}: {error}".split("\n")[0][:120]
    return [
        {
            "name": re.sub(r"\s+", " ", entry["cli_station"]),
            "date": entry["cli_valid"].isoformat(),
            **{name: plain(entry["data"][name]) for name in FIELDS if entry["data"].get(name) not in (None, [])},
        }
        for entry in product.data
    ]


root = Path(sys.argv[1])
found = {str(path.relative_to(root)): read(path) for path in sorted(root.glob("*/*.txt"))}
lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in found.items()]
out = Path(__file__).with_name("cli-expected.json")
out.write_text("{\n" + ",\n".join(lines) + "\n}\n")
print(len(found), "texts,", sum(len(v) for v in found.values() if isinstance(v, list)), "reports,",
      sum(isinstance(v, str) for v in found.values()), "refused")
