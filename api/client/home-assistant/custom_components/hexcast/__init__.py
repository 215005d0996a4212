"""US weather and alerts from a Hexcast server."""

from __future__ import annotations

from homeassistant.const import CONF_API_KEY, CONF_LATITUDE, CONF_LONGITUDE, CONF_URL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.httpx_client import get_async_client

from .api import HexcastApi
from .coordinator import HexcastConfigEntry, HexcastCoordinator

PLATFORMS = [Platform.BINARY_SENSOR, Platform.EVENT, Platform.SENSOR, Platform.WEATHER]


async def async_setup_entry(hass: HomeAssistant, entry: HexcastConfigEntry) -> bool:
    """Read the weather once, then listen for changes."""
    api = HexcastApi(
        get_async_client(hass),
        entry.data[CONF_URL],
        entry.data.get(CONF_API_KEY),
        entry.data[CONF_LATITUDE],
        entry.data[CONF_LONGITUDE],
    )
    coordinator = HexcastCoordinator(hass, entry, api)
    await coordinator.async_config_entry_first_refresh()
    entry.runtime_data = coordinator
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    coordinator.start()
    return True


async def async_unload_entry(hass: HomeAssistant, entry: HexcastConfigEntry) -> bool:
    """Unload the platforms; the background tasks end with the entry."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
