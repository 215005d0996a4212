"""Requests to the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
import json
import random
from typing import Any

import httpx
import httpx_sse

from .const import LOGGER

TIMEOUT_SECONDS = 20
#: Longest time without any byte; the server writes every 15 s.
SILENCE_SECONDS = 45
RETRY_SECONDS = 3
LONGEST_RETRY_SECONDS = 300
SECTIONS = "current,hourly,daily,alerts"


class HexcastError(Exception):
    """The server could not be reached or reported an error."""


class RefusedError(HexcastError):
    """The key is not accepted."""


class OutsideError(HexcastError):
    """The place is outside the United States."""


class HexcastApi:
    """One place on one server."""

    def __init__(self, http: httpx.AsyncClient, url: str, key: str | None, latitude: float, longitude: float) -> None:
        """Create the requests for the settings of an entry."""
        self._http = http
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._place = {"lat": round(latitude, 4), "lon": round(longitude, 4)}

    async def weather(self) -> dict[str, Any]:
        """Return the weather in metric units. Raises HexcastError."""
        query = {**self._place, "units": "metric", "include": SECTIONS, "hourly_hours": 48, "alert_detail": "concise"}
        try:
            answer = await self._http.get(
                f"{self._url}/v1/weather", params=query, headers=self._headers, timeout=TIMEOUT_SECONDS
            )
            self._check(answer)
            return answer.json()
        except httpx.HTTPError as error:
            raise HexcastError(f"{self._url}: {error or type(error).__name__}") from error
        except ValueError as error:
            raise HexcastError(f"{self._url}: the answer is not JSON") from error

    async def changes(self) -> AsyncIterator[dict[str, Any] | None]:
        """Yield changes of alerts at the place, without end, and None after each connection. Raises RefusedError."""
        last: str | None = None
        failures = 0
        while True:
            try:
                async with self._http.stream(
                    "GET",
                    f"{self._url}/v1/events",
                    params=self._place,
                    headers={**self._headers, "Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})},
                    timeout=httpx.Timeout(TIMEOUT_SECONDS, read=SILENCE_SECONDS),
                ) as answer:
                    self._check(answer)
                    yield None
                    async for message in httpx_sse.EventSource(answer).aiter_sse():
                        failures = 0
                        last = message.id or last
                        if message.event.startswith("alert.") and message.data:
                            yield json.loads(message.data)
            except RefusedError:
                raise
            except (httpx.HTTPError, HexcastError, ValueError) as error:
                LOGGER.debug("Stream of alerts: %s", error)
            wait = min(LONGEST_RETRY_SECONDS, RETRY_SECONDS * 2 ** min(failures, 10))
            failures += 1
            await asyncio.sleep(wait * random.uniform(0.5, 1))

    def _check(self, answer: httpx.Response) -> None:
        if answer.status_code in (401, 403):
            raise RefusedError(f"{self._url}: the key is not accepted")
        if answer.status_code == 404:
            raise OutsideError(f"{self._url}: no weather at {self._place}")
        if answer.is_error:
            raise HexcastError(f"{self._url}: status {answer.status_code}")
