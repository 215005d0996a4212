/** Prints the weather of a place with the typed client: node examples/weather.ts "Denver, CO" */
import { answerInfo, hexcastClient, ProblemError } from '../api/client/client.ts'

const { HEXCAST_URL: baseUrl = 'http://localhost:8080', HEXCAST_KEY: key } = process.env
const client = hexcastClient({ baseUrl, key })

try {
  const { data, response } = await client.GET('/v1/weather', {
    params: { query: { location: process.argv[2] ?? 'Denver, CO', include: 'current,daily', days: 3 } },
  })
  const { current, daily, units, location } = data!
  console.log(`${location.name}: ${current?.temperature} °${units?.temperature}, ${current?.conditions}`)
  for (const day of daily ?? []) console.log(`${day.date}: ${day.low} to ${day.high}, ${day.conditions}`)
  console.log(`may be cached for ${answerInfo(response).maxAge} s`)
} catch (error) {
  if (!(error instanceof ProblemError)) throw error
  console.error(`${error.slug}: ${error.message}`)
  process.exitCode = 1
}
