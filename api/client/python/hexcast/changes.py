"""Changes as they happen: server-sent events of ``GET /v1/events``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import httpx
import httpx_sse

from .base import Model, ProblemError, Settings, jittered, plain, retry_after

#: Without a byte for so long the connection counts as broken; the server writes every 15 s.
SILENCE_SECONDS = 45.0
RETRY_SECONDS = 3.0
LONGEST_RETRY_SECONDS = 60.0


class AlertChange(Model):
    """A change of one alert; read the alert itself by ``client.alerts(id=…)``."""

    id: str
    event: str
    """Tornado Warning, …"""
    change: Literal["issued", "updated", "cancelled", "expired"] | str
    areas: list[str]
    """UGC codes"""
    expiration: datetime | None = None
    at: datetime
    replaces: list[str] | None = None
    """Ids that this alert took the place of"""


class TextChange(Model):
    """A forecaster's text was issued, or has expired."""

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
    """``id`` is ``last_event_id`` of a later stream, which then gives what came in between."""

    id: str
    type: str
    """alert.issued, alert.updated, alert.cancelled, alert.expired, text.issued, text.expired"""
    data: AlertChange | TextChange


class Resume:
    """Where a stream goes on after a break, and when."""

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
        """:raises ProblemError: it would be refused again"""
        if answer.status_code != 429 and answer.status_code < 500:
            raise ProblemError(answer)
        return retry_after(answer)

    def change(self, message: httpx_sse.ServerSentEvent) -> Change | None:
        """None for what is no change: an id alone, or an event of a later server."""
        if message.retry is not None:
            self._retry = message.retry / 1000
        if message.id:
            self._last = message.id
        kind = message.event.split(".")[0]
        model = {"alert": AlertChange, "text": TextChange}.get(kind)
        if model is None or not message.data:
            return None
        return Change(message.id, message.event, model.model_validate(json.loads(message.data)))

    def pause(self, asked: float | None) -> float:
        grown = min(LONGEST_RETRY_SECONDS, self._retry * 2 ** min(self._failures, 10))
        self._failures += 1
        return max(asked or 0.0, jittered(grown))
