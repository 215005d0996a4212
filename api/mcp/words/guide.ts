/** The resource `hexcast://guide`: an introduction for assistants; at most 12 KB. */
export const guide = `# Hexcast tools: a guide

## Which tool when

| question | tool |
|---|---|
| weather now, this week, the weekend | get_forecast |
| a time of day | get_hourly_forecast |
| rain or snow in the next 90 minutes | get_precipitation_nowcast |
| warnings at a place, or one alert in full | get_alerts |
| warnings across a state, zone, office or the country | search_alerts |
| severe storms in the days ahead | get_severe_outlook |
| fire danger | get_fire_weather |
| storms near a place, and where they head | get_storm_tracks |
| lightning | get_lightning_activity |
| radar at a point | get_radar |
| a picture | get_map_snapshot |
| rain that fell in the last hours | get_precipitation_totals |
| past days | get_past_weather |
| how sure, how likely, how much at most | get_forecast_distribution |
| the chance of one threshold in one window | chance_of |
| what is different from some hours ago | what_changed |
| how good forecasts were | get_forecast_skill |
| when to do something outside | find_best_window |
| several places side by side | compare_locations |
| a trip | get_route_weather |
| sun and moon | get_sun_moon |
| crops | get_growing_degree_days |
| which place is meant | search_locations |
| how fresh the data is | get_service_status |
| anything numeric that no tool answers | list_datasets, describe_dataset, query_dataset |

## Units

| quantity | imperial | metric | si |
|---|---|---|---|
| temperature | F | C | K |
| wind | mph | kph | m/s |
| pressure | inHg | hPa | Pa |
| visibility | mi | km | m |
| precipitation, snow, ice | in | mm | mm |
| altitude, ceiling, snow level | ft | m | m |

Percent, degrees, J/kg, W/m², dBZ and names that end in a unit never change. Tools without units answer in imperial.

## Names of variables

The fields of the hourly forecast (temperature, dew_point, wind_gust, precip_amount, …). Others are quantity, level and statistic:
temperature_stddev, wind_speed_p90, snow_prob_gt_2in, ceiling_prob_below_1000ft, precip_amount_6h.

## Values over an area

query_dataset takes areas (states such as OK, counties such as Tulsa County, OK, zones such as OKZ060), a polygon or a bbox with
aggregate {"over": "area", "functions": ["max", "argmax", "mean"]}: one row an area, on every cell of the dataset in it, with the cells
counted; argmax and argmin give the time, the coordinates and the name of the place. over space: one row an area and time. Radar:
dataset mrms, 0 where radar sees nothing, null without coverage.

## Alerts as they change

hexcast://alerts/{location} (percent-encoded, such as hexcast://alerts/Denver%2C%20CO) is the result of get_alerts. Subscribe to it by
subscriptions/listen (revision 2026-07-28) or resources/subscribe (2025-11-25, over stdio): a notification comes when an alert begins,
changes or ends there, and when alerts are no longer known. At most 20 places a session.

## What a result means

- null: no value. A list that is missing is not an empty list: meta.warnings says why.
- meta: generated_at, attribution {sources[], notice}, warnings [{code, section, detail, product_id?, fields?}] and freshness [{source,
  product_id, reference_time, age_seconds}]: which run of which source the answer uses, and how old it is.
- SIMULATED at the beginning of a text: nothing in it is real weather.
- no_coverage: no radar or satellite covers the place. This does not mean that it is dry.
- unknown_event: no event of that name is known. An empty list is not an all-clear.

## Errors

A failed call says what is wrong, what is expected and what to do next; \`_meta["hexcast/error"].code\` is one of bad-request, not-found,
ambiguous-place, outside-coverage, no-data, too-many-requests, rate-limit-exceeded, trial-ended, upstream, service-unavailable, timeout, internal.
outside-coverage and not-found do not change if the call is repeated. ambiguous-place is also the answer to a state or region: name a city in
it, or call search_alerts with its area.
`
