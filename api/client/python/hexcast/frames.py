"""Converts answers to data frames of pandas."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from .errors import HexcastError

INDEXES = ("time", "date", "observed_at", "valid_time")


def frame_of(answer: BaseModel, rows: str | None) -> Any:
    try:
        import pandas
    except ImportError as error:
        raise HexcastError("to_pandas() needs pandas. Install it with: pip install hexcast[pandas]") from error
    results = getattr(answer, "results", None)
    if rows is None and results and any(getattr(result, "series", None) for result in results):
        frame = _series(pandas, results)
    elif rows is None and results and any(getattr(result, "values", None) for result in results):
        frame = _points(pandas, results)
    else:
        frame = _table(pandas, answer, rows)
    units = getattr(answer, "units", None)
    if units is not None:
        frame.attrs["units"] = units.model_dump() if isinstance(units, BaseModel) else dict(units)
    return frame


def _table(pandas: Any, answer: BaseModel, rows: str | None) -> Any:
    members = {name: getattr(answer, name) for name in type(answer).model_fields}
    lists = {name: value for name, value in members.items() if isinstance(value, list)}
    if rows is None:
        rows = "hourly" if "hourly" in lists else next(iter(lists)) if len(lists) == 1 else None
    if rows is None or rows not in lists:
        raise ValueError(f"to_pandas: this answer has no list {rows!r}; it has {', '.join(lists) or 'no lists'}. Pass the name of a list as rows.")
    dumped = [row.model_dump() if isinstance(row, BaseModel) else {"value": row} for row in lists[rows]]
    frame = pandas.json_normalize(dumped, sep="_")
    index = next((name for name in INDEXES if name in frame.columns), None)
    if index is not None:
        frame[index] = pandas.to_datetime(frame[index], utc=index != "date")
        frame = frame.set_index(index)
    # Columns without any value are dropped.
    return frame.dropna(axis="columns", how="all")


def _series(pandas: Any, results: list[Any]) -> Any:
    """One row for each point and time; a point outside the domain has no rows."""
    frames = {
        result.index: pandas.DataFrame(result.series.data, index=pandas.to_datetime(result.series.valid_times, utc=True))
        for result in results
        if result.series is not None
    }
    return pandas.concat(frames, names=["point", "time"])


def _points(pandas: Any, results: list[Any]) -> Any:
    """One row for each point; a point outside the domain has no values."""
    rows = [{"time": result.valid_time, **(result.values or {})} for result in results]
    return pandas.DataFrame(rows, index=pandas.Index([result.index for result in results], name="point"))
