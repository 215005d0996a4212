"""Changes as they happen, from the server-sent events of ``GET /v1/events``."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import httpx
import httpx_sse

from .base import Model, ProblemError, Settings, jittered, plain, retry_after

#: The connection counts as broken after this time without any byte; the server writes every 15 s.
SILENCE_SECONDS = 45.0
RETRY_SECONDS = 3.0
LONGEST_RETRY_SECONDS = 60.0


class AlertChange(Model):
    """A change of one alert. Read the alert itself with ``client.alerts(id=…)``."""

    id: str
    event: str
    """Tornado Warning, …"""
    change: Literal["issued", "updated", "cancelled", "expired"] | str
    areas: list[str]
    """UGC codes"""
    expiration: datetime | None = None
    at: datetime
    replaces: list[str] | None = None
    """Ids of the alerts that this alert replaces"""


class TextChange(Model):
    """The issuance or expiration of a forecaster's text."""

    id: str
    kind: str
    """afd, hwo, now, hls, mcd, mpd, pmd, swo"""
    change: Literal["issued", "expired"] | str
    wfo: str | None = None
    """Issuing office; None for national centers"""
    issued_at: datetime
    expires_at: datetime | None = None
    at: datetime


@dataclass(frozen=True)
class Change:
    """A change with its id. Pass the id as ``last_event_id`` to a later stream to get the changes since then."""

    id: str
    type: str
    """alert.issued, alert.updated, alert.cancelled, alert.expired, text.issued, text.expired"""
    data: AlertChange | TextChange


class Resume:
    """The position from which a stream resumes after an interruption, and the pause before it does."""

    def __init__(self, last_event_id: str | None) -> None:
        self._last = last_event_id
        self._retry = RETRY_SECONDS
        self._failures = 0

    def request(self, settings: Settings, http: Any, query: Mapping[str, Any]) -> httpx.Request:
        headers = {**settings.headers(), "Accept": "text/event-stream", "Cache-Control": "no-store"}
        if self._last:
            headers["Last-Event-ID"] = self._last
        url = settings.base_url.rstrip("/") + "/v1/events"
        timeout = httpx.Timeout(settings.timeout, read=SILENCE_SECONDS)
        return http.build_request("GET", url, params=plain(query), headers=headers, timeout=timeout)

    def opened(self) -> None:
        self._failures = 0

    def refused(self, answer: httpx.Response) -> float | None:
        """Seconds to wait before the next attempt. :raises ProblemError: if the server would refuse again"""
        if answer.status_code != 429 and answer.status_code < 500:
            raise ProblemError(answer)
        return retry_after(answer)

    def change(self, message: httpx_sse.ServerSentEvent) -> Change | None:
        """The change in a message; None for a message with an id only, or an event that this client does not know."""
        if message.retry is not None:
            self._retry = message.retry / 1000
        if message.id:
            self._last = message.id
        kind = message.event.split(".")[0]
        model = {"alert": AlertChange, "text": TextChange}.get(kind)
        if model is None or not message.data:
            return None
        return Change(message.id, message.event, model.model_validate(json.loads(message.data)))

    def pause(self, retry_after: float | None) -> float:
        growing_pause = min(LONGEST_RETRY_SECONDS, self._retry * 2 ** min(self._failures, 10))
        self._failures += 1
        # Clients that are refused at the same time must not return at the same time.
        return max((retry_after or 0.0) * random.uniform(1, 1.25), jittered(growing_pause))
