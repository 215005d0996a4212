"""Diagnostics for bug reports, without the key and the place."""

from __future__ import annotations

from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.const import CONF_API_KEY, CONF_LATITUDE, CONF_LONGITUDE
from homeassistant.core import HomeAssistant

from .coordinator import HexcastConfigEntry

REDACTED = {
    CONF_API_KEY,
    CONF_LATITUDE,
    CONF_LONGITUDE,
    *("title", "unique_id", "lat", "lon", "name", "zip", "county", "region", "timezone", "station_id"),
}


async def async_get_config_entry_diagnostics(hass: HomeAssistant, entry: HexcastConfigEntry) -> dict[str, Any]:
    """Return the entry and the main parts of the last answer."""
    coordinator = entry.runtime_data
    data = coordinator.data
    return async_redact_data(
        {
            "entry": entry.as_dict(),
            "stream_connected": coordinator.connected,
            "last_update_success": coordinator.last_update_success,
            "sections": {name: len(part) for name, part in data.items() if isinstance(part, list)},
            "current": data.get("current"),
            "units": data.get("units"),
            "meta": data.get("meta"),
            "location": data.get("location"),
        },
        REDACTED,
    )
