import json

import pirateweather

forecast = pirateweather.load_forecast("any-key", 39.74, -104.99, units="ca")
now = forecast.currently()
print(json.dumps({"temperature": now.temperature, "hours": len(forecast.hourly().data), "days": len(forecast.daily().data)}))
