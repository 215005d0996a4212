"""Alerts of the National Weather Service in numbers and words."""

from __future__ import annotations

from typing import Any

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorStateClass
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import SEVERITIES
from .coordinator import HexcastConfigEntry, HexcastCoordinator
from .entity import HexcastEntity

#: Alerts in the attributes; states of Home Assistant are limited in size.
MAX_LISTED = 20
SHOWN = ("id", "event", "severity", "urgency", "certainty", "headline", "onset", "ends", "expiration")


async def async_setup_entry(
    hass: HomeAssistant, entry: HexcastConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Two sensors a place."""
    async_add_entities([AlertCount(entry.runtime_data), GravestAlert(entry.runtime_data)])


class AlertCount(HexcastEntity, SensorEntity):
    """How many alerts are active; unknown where their feed could not be read and none is stored."""

    _attr_state_class = SensorStateClass.MEASUREMENT
    _unrecorded_attributes = frozenset({"alerts"})

    def __init__(self, coordinator: HexcastCoordinator) -> None:
        """Name it."""
        super().__init__(coordinator, "alerts")

    @property
    def native_value(self) -> int | None:
        """The number."""
        alerts = self.coordinator.alerts
        return None if alerts is None else len(alerts)

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """The alerts, the gravest first."""
        alerts = self.coordinator.alerts or []
        return {"alerts": [{name: alert.get(name) for name in SHOWN} for alert in alerts[:MAX_LISTED]]}


class GravestAlert(HexcastEntity, SensorEntity):
    """The greatest severity of the active alerts."""

    _attr_device_class = SensorDeviceClass.ENUM
    _attr_options = ["none", *SEVERITIES]

    def __init__(self, coordinator: HexcastCoordinator) -> None:
        """Name it."""
        super().__init__(coordinator, "severity")

    @property
    def native_value(self) -> str | None:
        """One of the options; None where the feed could not be read."""
        alerts = self.coordinator.alerts
        if alerts is None:
            return None
        ranks = [SEVERITIES.index(alert["severity"].lower()) for alert in alerts if alert["severity"].lower() in SEVERITIES]
        if not alerts:
            return "none"
        return SEVERITIES[max(ranks, default=0)]
