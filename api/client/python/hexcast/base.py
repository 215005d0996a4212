"""Base classes of models, requests and errors."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ConfigDict

from .errors import HexcastError
from .frames import frame_of

if TYPE_CHECKING:
    import pandas

FIRST_PAUSE_SECONDS = 0.25
LAST_PAUSE_SECONDS = 2.0


class Model(BaseModel):
    """Part of an answer. Members that a newer server adds are available in ``model_extra``."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=())

    def to_pandas(self, rows: str | None = None) -> pandas.DataFrame:
        """Converts the rows of this answer to a data frame, indexed by times in UTC; ``attrs["units"]`` has the units.

        :param rows: name of the list: hourly, daily, alerts, …; by default hourly, or else the only list
        :raises ValueError: if the answer has no such list, or several lists
        """
        return frame_of(self, rows)


class ProblemError(HexcastError):
    """An error with the problem document of the server. Make decisions by ``slug``, not by the text."""

    def __init__(self, response: httpx.Response) -> None:
        try:
            problem = response.json()
        except ValueError:
            problem = None
        self.problem: dict[str, Any] = problem if isinstance(problem, dict) else {}
        self.status = response.status_code
        #: Last part of the type: ``outside-coverage``
        self.slug = str(self.problem.get("type", "about:blank")).rsplit("/", 1)[-1]
        self.request_id = response.headers.get("x-request-id")
        self.retry_after = retry_after(response)
        title = self.problem.get("title") or response.reason_phrase or f"status {self.status}"
        super().__init__(": ".join(str(part) for part in (title, self.problem.get("detail")) if part))


@dataclass(frozen=True)
class Settings:
    """Settings of requests."""

    base_url: str
    key: str | None
    timeout: float
    retries: int
    #: Longest pause between attempts, seconds; if Retry-After demands more, the error is raised.
    longest_pause: float

    def headers(self) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": "hexcast-python"}
        return {**headers, "Authorization": f"Bearer {self.key}"} if self.key else headers

    def request(self, http: Any, method: str, path: str, query: Mapping | None, body: Mapping | None) -> httpx.Request:
        return http.build_request(
            method,
            self.base_url.rstrip("/") + path,
            params=plain(query) if query else None,
            json=None if body is None else plain(body, joined=False),
            headers=self.headers(),
            timeout=self.timeout,
        )

    def pause(self, request: httpx.Request, answer: httpx.Response | None, attempt: int) -> float | None:
        """Seconds until the next attempt; None if there is no further attempt. ``answer`` is None if the connection failed."""
        if answer is not None and answer.status_code != 429 and answer.status_code < 500:
            return None
        # All other POST requests only read.
        repeatable = request.method != "POST" or not request.url.path.endswith("/v1/webhooks")
        if attempt >= self.retries or not repeatable:
            return None
        growing_pause = min(LAST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**attempt)
        wait = max(growing_pause, (answer is not None and retry_after(answer)) or 0.0)
        return wait if wait <= self.longest_pause else None


def plain(values: Mapping, *, joined: bool = True) -> dict[str, Any]:
    """Values in the form of the API: without absent values, instants in UTC, lists in queries joined by commas."""
    return {name: _plain(value, joined) for name, value in values.items() if value is not None}


def _plain(value: Any, joined: bool) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone. Add a time zone, such as datetime.timezone.utc.")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if joined and isinstance(value, (list, tuple)):
        return ",".join(str(_plain(item, joined)) for item in value)
    return value


def segment(value: str) -> str:
    """Encodes a value as one segment of a path."""
    return quote(str(value), safe="")


def retry_after(response: httpx.Response) -> float | None:
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None


def jittered(seconds: float) -> float:
    return seconds * random.uniform(0.5, 1.0)
