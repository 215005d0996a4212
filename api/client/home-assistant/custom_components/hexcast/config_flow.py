"""Config flow that asks for the server, a key and a place, and tries them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import voluptuous as vol

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult
from homeassistant.const import CONF_API_KEY, CONF_LATITUDE, CONF_LOCATION, CONF_LONGITUDE, CONF_NAME, CONF_URL
from homeassistant.helpers.httpx_client import get_async_client
from homeassistant.helpers.selector import LocationSelector, TextSelector, TextSelectorConfig, TextSelectorType

from .api import HexcastApi, HexcastError, OutsideError, RefusedError
from .const import DOMAIN

KEY = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))


class HexcastConfigFlow(ConfigFlow, domain=DOMAIN):
    """Creates one entry for each server and place."""

    VERSION = 1

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the settings and create an entry."""
        errors: dict[str, str] = {}
        if user_input is not None:
            place = user_input[CONF_LOCATION]
            data = {
                CONF_URL: user_input[CONF_URL].rstrip("/"),
                CONF_API_KEY: user_input.get(CONF_API_KEY, ""),
                CONF_LATITUDE: place[CONF_LATITUDE],
                CONF_LONGITUDE: place[CONF_LONGITUDE],
            }
            await self.async_set_unique_id(
                f"{data[CONF_URL]} {data[CONF_LATITUDE]:.4f},{data[CONF_LONGITUDE]:.4f}"
            )
            self._abort_if_unique_id_configured()
            errors, weather = await self._try(data)
            if weather is not None:
                name = user_input.get(CONF_NAME) or weather["location"]["name"]
                return self.async_create_entry(title=name, data=data)
        home = {CONF_LATITUDE: self.hass.config.latitude, CONF_LONGITUDE: self.hass.config.longitude}
        schema = vol.Schema(
            {
                vol.Required(CONF_URL, default="http://localhost:8080"): TextSelector(
                    TextSelectorConfig(type=TextSelectorType.URL)
                ),
                vol.Optional(CONF_API_KEY): KEY,
                vol.Required(CONF_LOCATION, default=home): LocationSelector(),
                vol.Optional(CONF_NAME): TextSelector(),
            }
        )
        suggested = self.add_suggested_values_to_schema(schema, user_input)
        return self.async_show_form(step_id="user", data_schema=suggested, errors=errors)

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Start after the server has rejected the key."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a new key."""
        errors: dict[str, str] = {}
        entry = self._get_reauth_entry()
        if user_input is not None:
            errors, weather = await self._try({**entry.data, **user_input})
            if weather is not None:
                return self.async_update_reload_and_abort(entry, data_updates=user_input)
        schema = vol.Schema({vol.Required(CONF_API_KEY): KEY})
        return self.async_show_form(step_id="reauth_confirm", data_schema=schema, errors=errors)

    async def _try(self, data: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any] | None]:
        """Read the weather with these settings. Return errors for the form, or the answer."""
        address = urlsplit(data[CONF_URL])
        if address.scheme not in ("http", "https") or not address.hostname:
            return {CONF_URL: "invalid_url"}, None
        api = HexcastApi(
            get_async_client(self.hass),
            data[CONF_URL],
            data.get(CONF_API_KEY),
            data[CONF_LATITUDE],
            data[CONF_LONGITUDE],
        )
        try:
            return {}, await api.weather()
        except RefusedError:
            return {CONF_API_KEY: "invalid_auth"}, None
        except OutsideError:
            return {CONF_LOCATION: "outside_coverage"}, None
        except HexcastError:
            return {"base": "cannot_connect"}, None
