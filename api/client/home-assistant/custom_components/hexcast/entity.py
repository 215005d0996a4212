"""Base class and functions of the entities."""

from __future__ import annotations

from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.update_coordinator import CoordinatorEntity

from .const import DOMAIN
from .coordinator import HexcastCoordinator


def device_of(coordinator: HexcastCoordinator) -> DeviceInfo:
    """Return the device of a place."""
    entry = coordinator.config_entry
    return DeviceInfo(
        entry_type=DeviceEntryType.SERVICE,
        identifiers={(DOMAIN, entry.entry_id)},
        manufacturer="Hexcast",
        name=entry.title,
    )


def attribution_of(coordinator: HexcastCoordinator) -> str:
    """Return the source of the data, or a note that they are simulated."""
    return "Simulated, not real weather" if coordinator.simulated else "Data from NOAA, which does not endorse this use"


class HexcastEntity(CoordinatorEntity[HexcastCoordinator]):
    """An entity of a place."""

    _attr_has_entity_name = True

    def __init__(self, coordinator: HexcastCoordinator, key: str) -> None:
        """Create the entity with a key for its name and id."""
        super().__init__(coordinator)
        self._attr_translation_key = key
        self._attr_unique_id = f"{coordinator.config_entry.entry_id}_{key}"
        self._attr_device_info = device_of(coordinator)

    @property
    def attribution(self) -> str:
        """Return the source of the data."""
        return attribution_of(self.coordinator)
