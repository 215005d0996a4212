"""Tests of the integration with a running server."""

import asyncio
from datetime import datetime, timedelta
import json
from pathlib import Path
import time

from homeassistant.config_entries import SOURCE_REAUTH, SOURCE_USER, ConfigEntryState
from homeassistant.data_entry_flow import FlowResultType
import httpx
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.hexcast import coordinator as coordinator_module
from custom_components.hexcast.const import CONDITIONS
from custom_components.hexcast.diagnostics import async_get_config_entry_diagnostics
from custom_components.hexcast.weather import condition_of

from .conftest import DENVER, KEY, URL


def answer_of(**query):
    """Read the same weather from the API."""
    query = {"lat": 39.74, "lon": -104.99, "units": "metric", **query}
    return httpx.get(f"{URL}/v1/weather", params=query, headers={"Authorization": f"Bearer {KEY}"}).json()


async def until(hass, is_reached, seconds=30):
    """Wait for a state after a push or a refresh."""
    end = time.monotonic() + seconds
    while not is_reached():
        assert time.monotonic() < end, [(s.entity_id, s.state) for s in hass.states.async_all()]
        await asyncio.sleep(0.05)
        await hass.async_block_till_done(wait_background_tasks=False)


async def set_up(hass, entry):
    """Load the entry and wait for its stream."""
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    await until(hass, lambda: entry.runtime_data.connected)
    return entry.runtime_data


async def test_config_flow(hass):
    """The flow rejects a wrong address, a wrong key and a place abroad, and creates an entry only once."""
    form = await hass.config_entries.flow.async_init("hexcast", context={"source": SOURCE_USER})
    assert form["type"] is FlowResultType.FORM and not form["errors"]
    settings = {"url": f"{URL}/", "api_key": KEY, "location": DENVER}

    async def submit(**over):
        return await hass.config_entries.flow.async_configure(form["flow_id"], {**settings, **over})

    assert (await submit(url="ftp://example.org"))["errors"] == {"url": "invalid_url"}
    assert (await submit(url="http://127.0.0.1:9"))["errors"] == {"base": "cannot_connect"}
    assert (await submit(api_key="wrong"))["errors"] == {"api_key": "invalid_auth"}
    assert (await submit(location={"latitude": 51.5, "longitude": 0}))["errors"] == {"location": "outside_coverage"}
    result = await submit()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Denver"
    assert result["data"] == {"url": URL, "api_key": KEY, **DENVER}
    await hass.async_block_till_done()
    again = await hass.config_entries.flow.async_init("hexcast", context={"source": SOURCE_USER}, data=settings)
    assert again["reason"] == "already_configured"
    assert await hass.config_entries.async_unload(result["result"].entry_id)


async def test_weather_and_forecast(hass, entry):
    """State, attributes and forecasts equal those of the server, in metric units."""
    await set_up(hass, entry)
    answer = answer_of(include="current,hourly,daily")
    state = hass.states.get("weather.denver")
    current = answer["current"]
    assert state.state == condition_of(current["icon"])
    assert state.attributes["temperature"] == pytest.approx(current["temperature"], abs=0.06)
    assert state.attributes["temperature_unit"] == "°C"
    assert state.attributes["humidity"] == pytest.approx(current["humidity"], abs=0.6)
    assert state.attributes["wind_speed"] == pytest.approx(current["wind_speed"], abs=0.06)
    assert state.attributes["wind_speed_unit"] == "km/h"
    assert state.attributes["pressure"] == pytest.approx(current["pressure"], abs=0.06)
    assert [state.attributes[f"{name}_unit"] for name in ("pressure", "visibility", "precipitation")] == ["hPa", "km", "mm"]
    simulated = any(warning["code"] == "simulated_data" for warning in answer["meta"]["warnings"])
    assert ("Simulated" in state.attributes["attribution"]) == simulated

    async def forecast(kind):
        target = {"entity_id": "weather.denver", "type": kind}
        response = await hass.services.async_call("weather", "get_forecasts", target, blocking=True, return_response=True)
        return response["weather.denver"]["forecast"]

    daily = await forecast("daily")
    days = [row for row in answer["daily"] if row["relative_day"] >= 0]
    assert [row["datetime"][:10] for row in daily] == [row["date"] for row in days]
    # Midnight in Denver is 06:00 or 07:00 UTC.
    assert all(datetime.fromisoformat(row["datetime"]).hour in (6, 7) for row in daily)
    for row, expected in zip(daily, days, strict=True):
        if expected["high"] is not None:
            assert row["temperature"] == pytest.approx(expected["high"], abs=0.06)
        assert row["templow"] == pytest.approx(expected["low"], abs=0.06)
        assert row["condition"] == condition_of(expected["icon"])
    hourly = await forecast("hourly")
    rows = {row["time"]: row for row in answer["hourly"]}
    assert len(hourly) >= 24
    assert datetime.fromisoformat(hourly[0]["datetime"]) > datetime.now().astimezone() - timedelta(hours=1)
    for row in hourly:
        expected = rows[row["datetime"]]
        assert row["temperature"] == pytest.approx(expected["temperature"], abs=0.06)
        assert row["wind_speed"] == pytest.approx(expected["wind_speed"], abs=0.06)
        # Amounts of the server belong to the hour that ends, rows of Home Assistant to the hour that begins.
        end = (datetime.fromisoformat(row["datetime"]) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        amount = rows.get(end, {}).get("precip_amount")
        assert row.get("precipitation") == (None if amount is None else pytest.approx(amount, abs=0.06))
    assert await hass.config_entries.async_unload(entry.entry_id)


async def test_alert_by_push(hass, entry, control, monkeypatch):
    """An issued alert appears at once, without a poll."""
    monkeypatch.setattr(coordinator_module, "SETTLE_SECONDS", 1)
    await set_up(hass, entry)
    states = hass.states
    await until(hass, lambda: states.get("sensor.denver_alerts").state == "0")
    assert states.get("binary_sensor.denver_severe_alert").state == "off"
    assert states.get("sensor.denver_alert_severity").state == "none"
    assert states.get("event.denver_alert_changes").state == "unknown"

    await control("issue", id="urn:ha:1", event="Tornado Warning", severity="Extreme")
    await until(hass, lambda: states.get("sensor.denver_alerts").state == "1")
    change = states.get("event.denver_alert_changes").attributes
    assert [change[name] for name in ("event_type", "alert_id", "alert_event")] == ["issued", "urn:ha:1", "Tornado Warning"]
    assert states.get("binary_sensor.denver_severe_alert").state == "on"
    assert states.get("sensor.denver_alert_severity").state == "extreme"
    [alert] = states.get("sensor.denver_alerts").attributes["alerts"]
    assert (alert["event"], alert["severity"], alert["headline"]) == ("Tornado Warning", "Extreme", "Tornado Warning for Denver")

    assert await hass.config_entries.async_unload(entry.entry_id)
    assert entry.state is ConfigEntryState.NOT_LOADED
    assert states.get("sensor.denver_alerts").state == "unavailable"


async def test_unread_feed_is_not_all_clear(hass, entry):
    """Alert entities are unknown, not empty, if the alert feed could not be read."""
    coordinator = await set_up(hass, entry)
    whole = coordinator.data
    failed = {"code": "source_failed", "section": "alerts"}
    for data in ({**whole, "alerts": [], "meta": {**whole["meta"], "warnings": [failed]}}, {k: v for k, v in whole.items() if k != "alerts"}):
        coordinator.async_set_updated_data(data)
        await hass.async_block_till_done()
        for sensor in ("sensor.denver_alerts", "sensor.denver_alert_severity", "binary_sensor.denver_severe_alert"):
            assert hass.states.get(sensor).state == "unknown"
    assert await hass.config_entries.async_unload(entry.entry_id)


async def test_revoked_key_asks_for_another(hass):
    """A rejected key starts a flow that asks for a new key."""
    data = {"url": URL, "api_key": "revoked", **DENVER}
    entry = MockConfigEntry(domain="hexcast", title="Denver", data=data, unique_id="revoked")
    entry.add_to_hass(hass)
    assert not await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    [flow] = hass.config_entries.flow.async_progress()
    assert flow["context"]["source"] == SOURCE_REAUTH
    done = await hass.config_entries.flow.async_configure(flow["flow_id"], {"api_key": KEY})
    assert done["reason"] == "reauth_successful"
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    assert await hass.config_entries.async_unload(entry.entry_id)


async def test_diagnostics(hass, entry):
    """Diagnostics contain the data that were read, but not the key and the place."""
    await set_up(hass, entry)
    text = json.dumps(await async_get_config_entry_diagnostics(hass, entry), default=str)
    assert '"stream_connected": true' in text and '"hourly":' in text
    assert KEY not in text and "39.74" not in text and "Denver" not in text
    assert await hass.config_entries.async_unload(entry.entry_id)


def test_every_icon_has_a_condition():
    """Every icon in the OpenAPI document has a condition."""
    document = json.loads((Path(__file__).parents[4] / "openapi.json").read_text())
    table = document["info"]["description"] if "| `icon`" in document["info"].get("description", "") else json.dumps(document)
    icons = {line.split("`")[1] for line in table.replace("\\n", "\n").splitlines() if line.startswith("| `") and "`" in line[3:]} - {"icon"}
    assert len(icons) > 15
    for icon in icons:
        assert condition_of(icon) in {*CONDITIONS.values(), "clear-night"}, icon
    assert condition_of("rain-of-frogs-night") == "rainy"
    assert condition_of("frogs") is None
