"""Changes of alerts as they happen, for automations."""

from __future__ import annotations

from typing import Any

from homeassistant.components.event import EventEntity
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import HexcastConfigEntry, HexcastCoordinator
from .entity import attribution_of, device_of


async def async_setup_entry(
    hass: HomeAssistant, entry: HexcastConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add one entity for each place."""
    async_add_entities([AlertChanges(entry.runtime_data)])


class AlertChanges(EventEntity):
    """An event for each change: issued, updated, cancelled, expired."""

    _attr_has_entity_name = True
    _attr_translation_key = "alert_changes"
    _attr_event_types = ["issued", "updated", "cancelled", "expired"]

    def __init__(self, coordinator: HexcastCoordinator) -> None:
        """Create the entity of a coordinator."""
        self._coordinator = coordinator
        self._attr_unique_id = f"{coordinator.config_entry.entry_id}_alert_changes"
        self._attr_device_info = device_of(coordinator)
        self._attr_attribution = attribution_of(coordinator)

    async def async_added_to_hass(self) -> None:
        """Listen while the entity exists."""
        self.async_on_remove(self._coordinator.listen(self._changed))

    @callback
    def _changed(self, change: dict[str, Any]) -> None:
        if change.get("change") not in self.event_types:
            return
        names = ("id", "event", "areas", "expiration", "at")
        # The prefix avoids a conflict with the entity's own attribute event_type.
        self._trigger_event(change["change"], {f"alert_{name}": change.get(name) for name in names})
        self.async_write_ha_state()
