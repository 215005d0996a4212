"""The client for programs without an event loop."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import httpx_sse

from .base import ProblemError, Settings
from .changes import Change, Resume
from .operations import Operations


class Client(Operations):
    """A client of one server::

        with Client("http://localhost:8080", key) as client:
            print(client.weather(location="Denver, CO").current.temperature)

    :param base_url: address of the server
    :param key: an API key
    :param timeout: time limit of one attempt, seconds
    :param retries: number of further attempts after a failure of the server or the network, and after 429 as Retry-After says
    :param longest_pause: longest pause between attempts, seconds; if the server demands more, the error is raised
    :param http: an httpx client with your own settings (proxies, certificates); this client does not close it
    """

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        timeout: float = 10.0,
        retries: int = 3,
        longest_pause: float = 65.0,
        http: httpx.Client | None = None,
    ) -> None:
        self._settings = Settings(base_url, key, timeout, retries, longest_pause)
        self._http = http or httpx.Client()
        self._own = http is None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._own:
            self._http.close()

    def request(
        self, method: str, path: str, query: Mapping | None = None, body: Mapping | None = None
    ) -> httpx.Response:
        """Requests any route, also a route without a method: ``client.request("GET", "/edr/collections").json()``.

        :raises ProblemError: for an error that remains after retries; ``httpx.TransportError`` if there was no answer
        """
        request = self._settings.request(self._http, method, path, query, body)
        attempt = 0
        while True:
            try:
                answer = self._http.send(request)
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
            time.sleep(wait)

    def _call(self, method: str, path: str, answer: Any, query: Mapping | None, body: Mapping | None) -> Any:
        response = self.request(method, path, query, body)
        return None if answer is None else answer.model_validate_json(response.content)

    def changes(self, *, last_event_id: str | None = None, **query: Any) -> Iterator[Change]:
        """Streams changes of alerts, and with ``events="text.*"`` of texts, for a place or for all, without end.

        After an interruption the stream resumes where it ended. Pass ``last_event_id`` to resume after a restart of the program.
        The parameters are those of ``GET /v1/events``: lat, lon, bbox, area, zone, office, min_severity, events.

        :raises ProblemError: if the server refuses the stream, for a wrong filter, a revoked key or too many streams
        """
        resume = Resume(last_event_id)
        while True:
            wait = None
            try:
                request = resume.request(self._settings, self._http, query)
                answer = self._http.send(request, stream=True)
                try:
                    if answer.is_error:
                        answer.read()
                        wait = resume.refused(answer)
                    else:
                        resume.opened()
                        for message in httpx_sse.EventSource(answer).iter_sse():
                            change = resume.change(message)
                            if change is not None:
                                yield change
                finally:
                    answer.close()
            except httpx.TransportError:
                pass
            time.sleep(resume.pause(wait))
