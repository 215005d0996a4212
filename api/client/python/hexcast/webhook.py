"""Verification of webhooks (Standard Webhooks)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from .base import Model

#: Calls are repeated for up to a day under one id.
MAX_REMEMBERED = 100_000


class WebhookEvent(Model):
    """The body of a call."""

    type: str
    """alert.issued, run.published, …"""
    timestamp: datetime
    data: dict[str, Any]


class WebhookReceiver:
    """Verifies calls, and remembers their ids, so that a call which is repeated or replayed counts once.

    :param secret: ``whsec_…``, shown once when the webhook was made
    """

    def __init__(self, secret: str) -> None:
        self._webhook = Webhook(secret)
        self._accepted: OrderedDict[str, None] = OrderedDict()

    def verify(self, body: bytes | str, headers: Mapping[str, str]) -> WebhookEvent | None:
        """Checks the signature, and that it was made within the last five minutes.

        :param body: as it was received, before any JSON parser
        :returns: the event; None where a call of this id was accepted before: answer 200 and do nothing
        :raises WebhookVerificationError: forged, aged or of another secret: answer 400
        """
        given = {name.lower(): value for name, value in headers.items()}
        event = WebhookEvent.model_validate(self._webhook.verify(body, given))
        call = given["webhook-id"]
        if call in self._accepted:
            return None
        if len(self._accepted) >= MAX_REMEMBERED:
            self._accepted.popitem(last=False)
        self._accepted[call] = None
        return event


__all__ = ["WebhookEvent", "WebhookReceiver", "WebhookVerificationError"]
