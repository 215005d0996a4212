"""The client for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx
import httpx_sse

from .base import ProblemError, Settings
from .changes import Change, Resume
from .operations import AsyncOperations


class AsyncClient(AsyncOperations):
    """Like ``Client``, with ``async`` and ``await``::

        async with AsyncClient("http://localhost:8080", key) as client:
            async for change in client.changes(area="CO"):
                print(change.type, change.data.event)

    The parameters are those of ``Client``.
    """

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        timeout: float = 10.0,
        retries: int = 3,
        longest_pause: float = 65.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._settings = Settings(base_url, key, timeout, retries, longest_pause)
        self._http = http or httpx.AsyncClient()
        self._own = http is None

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._own:
            await self._http.aclose()

    async def request(
        self, method: str, path: str, query: Mapping | None = None, body: Mapping | None = None
    ) -> httpx.Response:
        """Requests any route, like ``Client.request``.

        :raises ProblemError: for an error that remains after retries; ``httpx.TransportError`` if there was no answer
        """
        request = self._settings.request(self._http, method, path, query, body)
        attempt = 0
        while True:
            try:
                answer = await self._http.send(request)
            except httpx.TransportError:
                wait = self._settings.pause(request, None, attempt)
                if wait is None:
                    raise
            else:
                wait = self._settings.pause(request, answer, attempt)
                if wait is None:
                    if answer.is_error:
                        raise ProblemError(answer)
                    return answer
            attempt += 1
            await asyncio.sleep(wait)

    async def _call(self, method: str, path: str, answer: Any, query: Mapping | None, body: Mapping | None) -> Any:
        response = await self.request(method, path, query, body)
        return None if answer is None else answer.model_validate_json(response.content)

    async def changes(self, *, last_event_id: str | None = None, **query: Any) -> AsyncIterator[Change]:
        """Streams changes as they happen, like ``Client.changes``. :raises ProblemError: if the server refuses the stream"""
        resume = Resume(last_event_id)
        while True:
            wait = None
            try:
                answer = await self._http.send(resume.request(self._settings, self._http, query), stream=True)
                try:
                    if answer.is_error:
                        await answer.aread()
                        wait = resume.refused(answer)
                    else:
                        resume.opened()
                        async for message in httpx_sse.EventSource(answer).aiter_sse():
                            change = resume.change(message)
                            if change is not None:
                                yield change
                finally:
                    await answer.aclose()
            except httpx.TransportError:
                pass
            await asyncio.sleep(resume.pause(wait))
