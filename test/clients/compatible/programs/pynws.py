import asyncio
import json

import aiohttp
from pynws import SimpleNWS


async def main():
    async with aiohttp.ClientSession() as session:
        nws = SimpleNWS(39.74, -104.99, "nobody@example.org", session)
        await nws.update_forecast()
        await nws.update_forecast_hourly()
        await nws.update_alerts_county_zone()
        celsius = (nws.forecast_hourly[0]["temperature"] - 32) / 1.8
        halves = len(nws.forecast)
        print(json.dumps({"temperature": celsius, "hours": len(nws.forecast_hourly), "half_days": halves}))


asyncio.run(main())
