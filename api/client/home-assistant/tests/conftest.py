"""Fixtures for a running server (HEXCAST_URL) and for issuing alerts on it (HEXCAST_CONTROL)."""

import os

import httpx
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

URL = os.environ.get("HEXCAST_URL", "")
KEY = os.environ.get("HEXCAST_KEY", "")
CONTROL = os.environ.get("HEXCAST_CONTROL", "")
DENVER = {"latitude": 39.74, "longitude": -104.99}


def pytest_collection_modifyitems(items):
    """Skip all tests without a server. test/clients/home-assistant.test.ts starts one."""
    if not URL:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="HEXCAST_URL is not set"))


@pytest.fixture(autouse=True)
def _custom(enable_custom_integrations, socket_enabled):
    """Load the integration from custom_components, and let it reach the server on loopback."""


@pytest.fixture
def control():
    """Issue and clear alerts on the server."""

    async def call(path, **query):
        async with httpx.AsyncClient() as http:
            (await http.post(f"{CONTROL}/{path}", params=query, timeout=30)).raise_for_status()

    return call


@pytest.fixture
def entry(hass):
    """Create an entry for Denver."""
    data = {"url": URL, "api_key": KEY, **DENVER}
    denver = MockConfigEntry(domain="hexcast", title="Denver", data=data, unique_id="denver")
    denver.add_to_hass(hass)
    return denver
