import json
import os

from nws_api_client import NwsAPIClient
from nws_api_client.models import components

with NwsAPIClient(user_agent="nobody@example.org", server_url=os.environ["BASE"] + "/nws") as client:
    point = client.geographic.get_point_info(point="39.74,-104.99").result.properties
    office = components.NWSForecastOfficeID(point.grid_id)
    grid = f"{point.grid_x},{point.grid_y}"
    periods = client.forecasts.get_hourly(wfo=office, gridpoint=grid).result.properties.periods
    alerts = client.alerts.get_active().result.features
    temperature = periods[0].temperature
    celsius = (getattr(temperature, "value", temperature) - 32) / 1.8
    print(json.dumps({"temperature": celsius, "hours": len(periods), "alerts": len(alerts)}))
