"""Binary sensor for severe alerts."""

from __future__ import annotations

from homeassistant.components.binary_sensor import BinarySensorDeviceClass, BinarySensorEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import HexcastConfigEntry, HexcastCoordinator
from .entity import HexcastEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: HexcastConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add one sensor for each place."""
    async_add_entities([SevereAlert(entry.runtime_data)])


class SevereAlert(HexcastEntity, BinarySensorEntity):
    """On while an alert of severity Severe or Extreme is active; unknown, not off, if the feed could not be read."""

    _attr_device_class = BinarySensorDeviceClass.SAFETY

    def __init__(self, coordinator: HexcastCoordinator) -> None:
        """Create the sensor of a coordinator."""
        super().__init__(coordinator, "severe_alert")

    @property
    def is_on(self) -> bool | None:
        """Return true while such an alert is active; on means unsafe."""
        alerts = self.coordinator.alerts
        return None if alerts is None else any(alert["severity"] in ("Severe", "Extreme") for alert in alerts)
