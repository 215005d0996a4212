"""Constants of the integration."""

from datetime import timedelta
import logging

DOMAIN = "hexcast"
LOGGER = logging.getLogger(__package__)
#: Interval of reads; changes of alerts are pushed in between.
SCAN_INTERVAL = timedelta(minutes=10)
#: Severities of CAP, in ascending order.
SEVERITIES = ["unknown", "minor", "moderate", "severe", "extreme"]
#: Codes of warnings with which an empty list of alerts does not mean that there are none.
UNCERTAIN = {"source_failed", "source_missing", "source_incomplete", "stale_source", "feed_unconfirmed", "not_held", "no_coverage", "degraded"}

#: Conditions by icon of the server, without -day and -night; see /docs/icons on the server.
CONDITIONS = {
    "clear": "sunny",
    "partly-cloudy": "partlycloudy",
    "mostly-cloudy": "cloudy",
    "cloudy": "cloudy",
    "fog": "fog",
    "haze": "fog",
    "showers": "rainy",
    "rain": "rainy",
    "snow": "snowy",
    "snow-showers": "snowy",
    "rain-snow": "snowy-rainy",
    "rain-snow-showers": "snowy-rainy",
    "sleet": "snowy-rainy",
    "thunderstorms": "lightning",
    "thunder-showers": "lightning-rainy",
    "thunder-rain": "lightning-rainy",
}
