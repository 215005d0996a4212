"""Verification of webhooks (Standard Webhooks)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from .base import Model

#: Number of remembered ids. The server repeats a call under the same id for up to a day.
MAX_REMEMBERED = 100_000


class WebhookEvent(Model):
    """The body of a webhook call."""

    type: str
    """alert.issued, run.published, …"""
    timestamp: datetime
    data: dict[str, Any]


class WebhookReceiver:
    """Verifies calls and remembers their ids, so that a repeated or replayed call counts once.

    :param secret: ``whsec_…``, which is shown once when the webhook is created
    """

    def __init__(self, secret: str) -> None:
        self._webhook = Webhook(secret)
        self._accepted: OrderedDict[str, None] = OrderedDict()

    def verify(self, body: bytes | str, headers: Mapping[str, str]) -> WebhookEvent | None:
        """Verifies the signature of a call, and that it was signed within the last five minutes.

        :param body: the body as it was received, before any JSON parser
        :returns: the event; None if a call with this id has been accepted before: then answer 200 and do nothing
        :raises WebhookVerificationError: if the call is forged, old or signed with another secret: then answer 400
        """
        lower_headers = {name.lower(): value for name, value in headers.items()}
        event = WebhookEvent.model_validate(self._webhook.verify(body, lower_headers))
        call_id = lower_headers["webhook-id"]
        if call_id in self._accepted:
            return None
        if len(self._accepted) >= MAX_REMEMBERED:
            self._accepted.popitem(last=False)
        self._accepted[call_id] = None
        return event


__all__ = ["WebhookEvent", "WebhookReceiver", "WebhookVerificationError"]
