import { fetchWeatherApi } from 'openmeteo'

const [response] = await fetchWeatherApi(`${process.env.BASE}/open-meteo/v1/forecast`, {
  latitude: 39.74,
  longitude: -104.99,
  current: 'temperature_2m',
  hourly: 'temperature_2m,precipitation,weather_code',
  daily: 'temperature_2m_max,sunrise',
})
const hours = response.hourly().variables(0).valuesArray()
console.log(JSON.stringify({ temperature: response.current().variables(0).value(), hours: hours.length }))
