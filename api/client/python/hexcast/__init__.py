"""Client of a Hexcast server: ``Client`` and ``AsyncClient``, models of answers, streams of changes, verification of webhooks."""

from .aio import AsyncClient
from .base import Model, ProblemError
from .changes import AlertChange, Change, TextChange
from .client import Client
from .errors import HexcastError
from .webhook import WebhookEvent, WebhookReceiver, WebhookVerificationError

__all__ = [
    "AlertChange",
    "AsyncClient",
    "Change",
    "Client",
    "HexcastError",
    "Model",
    "ProblemError",
    "TextChange",
    "WebhookEvent",
    "WebhookReceiver",
    "WebhookVerificationError",
]
