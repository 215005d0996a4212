import asyncio
import json

from open_meteo import DailyParameters, HourlyParameters, OpenMeteo


async def main():
    async with OpenMeteo() as client:
        forecast = await client.forecast(
            latitude=39.74,
            longitude=-104.99,
            current=[HourlyParameters.TEMPERATURE_2M],
            hourly=[HourlyParameters.TEMPERATURE_2M, HourlyParameters.PRECIPITATION],
            daily=[DailyParameters.SUNRISE, DailyParameters.PRECIPITATION_SUM],
            timezone="America/Denver",
        )
        print(json.dumps({"temperature": forecast.current.temperature_2m, "hours": len(forecast.hourly.time)}))


asyncio.run(main())
