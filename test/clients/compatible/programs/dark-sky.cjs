const DarkSky = require('dark-sky')

new DarkSky('any-key')
  .latitude(39.74)
  .longitude(-104.99)
  .units('ca')
  .exclude('minutely')
  .get()
  .then(({ currently, hourly, daily }) =>
    console.log(
      JSON.stringify({ temperature: currently.temperature, hours: hourly.data.length, days: daily.data.length }),
    ),
  )
