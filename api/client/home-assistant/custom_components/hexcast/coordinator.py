"""Coordinator that reads the server every ten minutes and whenever an alert changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import tzinfo
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed
from homeassistant.util import dt as dt_util

from .api import HexcastApi, HexcastError, RefusedError
from .const import DOMAIN, LOGGER, SCAN_INTERVAL, UNCERTAIN

#: The server announces a change before every answer contains it, so the weather is read again after this time.
SETTLE_SECONDS = 10

type HexcastConfigEntry = ConfigEntry[HexcastCoordinator]


class HexcastCoordinator(DataUpdateCoordinator[dict[str, Any]]):
    """The weather of one place."""

    config_entry: HexcastConfigEntry

    def __init__(self, hass: HomeAssistant, entry: HexcastConfigEntry, api: HexcastApi) -> None:
        """Create a coordinator without data."""
        super().__init__(hass, LOGGER, config_entry=entry, name=DOMAIN, update_interval=SCAN_INTERVAL)
        self._api = api
        self._changed = asyncio.Event()
        self._change_listeners: list[Callable[[dict[str, Any]], None]] = []
        self.zone: tzinfo = dt_util.UTC
        self.connected = False

    async def _async_update_data(self) -> dict[str, Any]:
        try:
            data = await self._api.weather()
        except RefusedError as error:
            raise ConfigEntryAuthFailed(str(error)) from error
        except HexcastError as error:
            raise UpdateFailed(str(error)) from error
        self.zone = await dt_util.async_get_time_zone(data["location"]["timezone"]) or dt_util.UTC
        return data

    @callback
    def start(self) -> None:
        """Listen for changes until the entry is unloaded."""
        for name, work in (("changes", self._follow()), ("refresh", self._refresh_after_changes())):
            self.config_entry.async_create_background_task(self.hass, work, f"{DOMAIN} {name}")

    async def _follow(self) -> None:
        try:
            async for change in self._api.changes():
                # After a reconnection something may have changed while there was no connection.
                if change is not None or self.connected:
                    self._changed.set()
                self.connected = True
                if change is not None:
                    for listener in list(self._change_listeners):
                        listener(change)
        except RefusedError:
            self.config_entry.async_start_reauth(self.hass)

    async def _refresh_after_changes(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self.async_refresh()
            await asyncio.sleep(SETTLE_SECONDS)
            await self.async_refresh()

    @callback
    def listen(self, listener: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Call a listener with each change of an alert. Return a function that removes it."""
        self._change_listeners.append(listener)
        return lambda: self._change_listeners.remove(listener)

    @property
    def alerts(self) -> list[dict[str, Any]] | None:
        """Return active alerts; None if it is unknown whether there are any."""
        alerts = self.data.get("alerts")
        if alerts is None:
            return None
        # Exercises and tests are not real alerts.
        actual = [alert for alert in alerts if alert.get("status") == "Actual"]
        return None if not actual and self._uncertain else actual

    @property
    def _uncertain(self) -> bool:
        return any(
            warning["section"] == "alerts" and warning["code"] in UNCERTAIN
            for warning in self.data["meta"].get("warnings", [])
        )

    @property
    def simulated(self) -> bool:
        """Return true if the server says that the weather is simulated."""
        return any(warning["code"] == "simulated_data" for warning in self.data["meta"].get("warnings", []))
