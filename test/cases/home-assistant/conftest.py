"""Points two integrations of Home Assistant at a running server: only the constants with their hosts change."""

import os

import open_meteo.open_meteo as client
import pynws.urls
import pytest
from yarl import URL

BASE = os.environ["BASE"]
OPEN_METEO = "https://api.open-meteo.com"


@pytest.fixture(autouse=True)
def _hosts(monkeypatch, socket_enabled):
    """Replace the two hosts."""
    monkeypatch.setattr(pynws.urls, "API_URL", f"{BASE}/nws/")
    monkeypatch.setattr(client, "URL", lambda text: URL(text.replace(OPEN_METEO, f"{BASE}/open-meteo")))
