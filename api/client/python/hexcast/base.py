"""What models, requests and errors have in common."""

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
    """Part of an answer. Members that a later server adds are kept, in ``model_extra``."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=())

    def to_pandas(self, rows: str | None = None) -> pandas.DataFrame:
        """The rows of this answer as a data frame, times in UTC as its index; ``attrs["units"]`` has the units.

        :param rows: name of the list: hourly, daily, alerts, …; where it is absent, hourly or the only list
        :raises ValueError: the answer has no such list, or several
        """
        return frame_of(self, rows)


class ProblemError(HexcastError):
    """A problem document of the server. Act on ``slug``, not on the text."""

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
    """How requests are sent."""

    base_url: str
    key: str | None
    timeout: float
    retries: int
    #: Longest pause in seconds that Retry-After may ask for; longer ones are raised.
    longest_pause: float

    def headers(self) -> dict[str, str]:
        own = {"Accept": "application/json", "User-Agent": "hexcast-python"}
        return {**own, "Authorization": f"Bearer {self.key}"} if self.key else own

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
        """Seconds until the next attempt; None where there is none. No answer: the connection failed."""
        if answer is not None and answer.status_code != 429 and answer.status_code < 500:
            return None
        # The other POST requests only read.
        repeatable = request.method != "POST" or not request.url.path.endswith("/v1/webhooks")
        if attempt >= self.retries or not repeatable:
            return None
        grown = min(LAST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**attempt)
        wait = max(grown, (answer is not None and retry_after(answer)) or 0.0)
        return wait if wait <= self.longest_pause else None


def plain(values: Mapping, *, joined: bool = True) -> dict[str, Any]:
    """Values as the interface has them: without absent ones, instants in UTC, in queries lists joined by commas."""
    return {name: _plain(value, joined) for name, value in values.items() if value is not None}


def _plain(value: Any, joined: bool) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone: give one, such as datetime.timezone.utc")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if joined and isinstance(value, (list, tuple)):
        return ",".join(str(_plain(one, joined)) for one in value)
    return value


def segment(value: str) -> str:
    """A value as one segment of a path."""
    return quote(str(value), safe="")


def retry_after(response: httpx.Response) -> float | None:
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None


def jittered(seconds: float) -> float:
    return seconds * random.uniform(0.5, 1.0)
