"""Sensors for the number and the severity of alerts."""

from __future__ import annotations

from typing import Any

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorStateClass
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import SEVERITIES
from .coordinator import HexcastConfigEntry, HexcastCoordinator
from .entity import HexcastEntity

#: Number of alerts in the attributes, since Home Assistant limits the size of states.
MAX_LISTED = 20
ALERT_MEMBERS = ("id", "event", "severity", "urgency", "certainty", "headline", "onset", "ends", "expiration")


async def async_setup_entry(
    hass: HomeAssistant, entry: HexcastConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add two sensors for each place."""
    async_add_entities([AlertCount(entry.runtime_data), AlertSeverity(entry.runtime_data)])


class AlertCount(HexcastEntity, SensorEntity):
    """The number of active alerts; unknown if their feed could not be read and no alert is stored."""

    _attr_state_class = SensorStateClass.MEASUREMENT
    _unrecorded_attributes = frozenset({"alerts"})

    def __init__(self, coordinator: HexcastCoordinator) -> None:
        """Create the sensor of a coordinator."""
        super().__init__(coordinator, "alerts")

    @property
    def native_value(self) -> int | None:
        """Return the number of alerts."""
        alerts = self.coordinator.alerts
        return None if alerts is None else len(alerts)

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return the alerts, the most severe first."""
        alerts = self.coordinator.alerts or []
        return {"alerts": [{name: alert.get(name) for name in ALERT_MEMBERS} for alert in alerts[:MAX_LISTED]]}


class AlertSeverity(HexcastEntity, SensorEntity):
    """The greatest severity of the active alerts."""

    _attr_device_class = SensorDeviceClass.ENUM
    _attr_options = ["none", *SEVERITIES]

    def __init__(self, coordinator: HexcastCoordinator) -> None:
        """Create the sensor of a coordinator."""
        super().__init__(coordinator, "severity")

    @property
    def native_value(self) -> str | None:
        """Return an option; None if the feed could not be read."""
        alerts = self.coordinator.alerts
        if alerts is None:
            return None
        ranks = [SEVERITIES.index(alert["severity"].lower()) for alert in alerts if alert["severity"].lower() in SEVERITIES]
        if not alerts:
            return "none"
        return SEVERITIES[max(ranks, default=0)]
