"""Constants of the integration."""

from datetime import timedelta
import logging

DOMAIN = "hexcast"
LOGGER = logging.getLogger(__package__)
#: Changes of alerts come by push in between.
SCAN_INTERVAL = timedelta(minutes=10)
#: From the least to the gravest, as CAP has them.
SEVERITIES = ["unknown", "minor", "moderate", "severe", "extreme"]
#: Codes of warnings after which the absence of alerts is not known to be one.
UNCERTAIN = {"source_failed", "source_missing", "source_incomplete", "stale_source", "feed_unconfirmed", "not_held", "no_coverage", "degraded"}

#: Icons of the server without -day and -night; see /docs/icons there.
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
