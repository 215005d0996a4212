import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LiveAlert } from '../../api/live/alert-index.ts'
import { alertForms } from '../../api/routes/alert-forms.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { shapeOf } from '../../ingest/domain/shape/shape.ts'
import { type EdgeServer, edgeServer } from '../api/http/test-server.ts'

const python = process.env['PYTHON'] ?? 'python3'
const packages = 'pandas, pyarrow, covjson_pydantic, feedparser, icalendar, lxml, capvalidator'
const readers = spawnSync(python, ['-c', `import ${packages}`]).status === 0

const points = '39.74,-104.99;49.3,-123.1;40.01,-105.27'
const series = `/v1/series/batch?points=${points}&variables=temperature,wind_speed&hours=6`
const now = Date.UTC(2026, 7, 20, 21, 12)
/** A text with every character that a format must escape, and a line of more than 75 bytes of UTF-8. */
const description = `At 312 PM MDT, <wind> & "hail";\nnear Denver, CO — ${'ñ'.repeat(60)}\\end`
const alert = {
  id: 'urn:oid:2.49.0.1.840.0.test.001.1',
  head: {
    id: 'urn:oid:2.49.0.1.840.0.test.001.1',
    status: 'Actual',
    kind: 'Alert',
    event: 'Severe Thunderstorm Warning',
    sent: now,
  },
  record: {
    ...{ severity: 'Severe', urgency: 'Immediate', certainty: 'Observed', category: 'Met', response: 'Shelter' },
    ...{ headline: 'Severe <Thunderstorm> Warning & more', sender: 'NWS Denver CO', office: 'BOU', description },
    ...{ areaDesc: 'Denver; Adams', effective: now, onset: now, expires: now + 1_800_000, ends: now + 2_700_000 },
    ...{ zones: [], same: ['008031'], highlights: {}, parameters: { maxHailSize: ['1.00'] } },
  },
  ...{ areas: ['COC031'], expiration: now + 2_700_000, clipped: false, cells: [], zones: [], marine: false },
  polygon: shapeOf([
    [
      [
        [-105, 39.6],
        [-104.7, 39.6],
        [-104.7, 39.9],
        [-105, 39.6],
      ],
    ],
  ] as never),
} as unknown as LiveAlert

describe.skipIf(!readers)(
  `formats of answers (skipped: pip install pandas pyarrow covjson-pydantic feedparser icalendar lxml capvalidator, PYTHON=…)`,
  () => {
    let edge: EdgeServer
    let key: string
    let folder: string
    // biome-ignore lint/suspicious/noExplicitAny: the output of the readers
    let read: Record<string, any>
    // biome-ignore lint/suspicious/noExplicitAny: answers as parsed from JSON
    let json: Record<string, any>

    beforeAll(async () => {
      edge = await edgeServer()
      key = await edge.key()
      folder = await mkdtemp(join(tmpdir(), 'hexcast-formats-'))
      const save = async (name: string, path: string) => {
        const response = await edge.get(path, key)
        expect([name, response.status]).toEqual([name, 200])
        await writeFile(join(folder, name), Buffer.from(await response.arrayBuffer()))
      }
      const getJson = async (path: string) => (await edge.get(path, key)).json()
      json = {
        series: await getJson(series),
        weather: await getJson('/v1/weather?lat=39.74&lon=-104.99&include=hourly,daily'),
      }
      for (const form of ['csv', 'parquet', 'arrow', 'covjson'])
        await save(`series.${form}`, `${series}&format=${form}`)
      await save('point.covjson', `/v1/point?points=${points}&variables=temperature&format=covjson`)
      const client = new Client({ name: 'test', version: '1' })
      const requestInit = { headers: { Authorization: `Bearer ${key}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${edge.base}/mcp`), { requestInit }))
      const query = { dataset_id: 'blend', variables: ['temperature', 'wind_speed'], hours: 6, format: 'covjson' }
      const where = {
        points: [
          { lat: 39.74, lon: -104.99 },
          { lat: 40.01, lon: -105.27 },
        ],
      }
      const { content } = await client.callTool({ name: 'query_dataset', arguments: { ...query, ...where } })
      const part = nth(content as { resource?: { text: string; mimeType: string } }[], 1).resource!
      expect(part.mimeType).toBe('application/prs.coverage+json')
      await writeFile(join(folder, 'query.covjson'), part.text)
      await client.close()
      await save('hourly.csv', '/v1/weather?lat=39.74&lon=-104.99&include=hourly&format=csv')
      await save('daily.csv', '/v1/weather?lat=39.74&lon=-104.99&include=daily&format=csv')
      await save('daily.ics', '/v1/weather?lat=39.74&lon=-104.99&format=ics')
      for (const simulated of [false, true]) {
        const request = { base: 'https://weather.example.org', url: '/v1/alerts?area=CO&format=atom', now }
        for (const form of ['csv', 'atom', 'cap', 'ics'] as const) {
          const { body } = alertForms(form, { list: [alert], simulated, request, notes: [] })
          await writeFile(join(folder, `alert${simulated ? '-simulated' : ''}.${form}`), String(body))
        }
      }
      const script = fileURLToPath(new URL('formats.py', import.meta.url))
      const printed = spawnSync(python, [script, folder], { maxBuffer: 64 << 20 })
      expect(String(printed.stderr)).toBe('')
      read = JSON.parse(String(printed.stdout))
    }, 120_000)
    afterAll(async () => {
      await edge.close()
      await rm(folder, { recursive: true, force: true })
    })

    test('a table has every row and value of the JSON, times as timestamps and units in its metadata', () => {
      const temperatures: number[] = json['series'].results.flatMap(
        (point: { series?: { data: { temperature: number[] } } }) => point.series?.data.temperature ?? [],
      )
      const sum = temperatures.reduce((a, b) => a + b, 0)
      for (const [name, column] of [
        ['series.csv', 'temperature [F]'],
        ['series.parquet', 'temperature'],
        ['series.arrow', 'temperature'],
      ] as const) {
        // The point outside coverage has its own row.
        expect([name, read[name].rows]).toEqual([name, temperatures.length + 1])
        expect(read[name].sums[column]).toBeCloseTo(sum, 1)
      }
      for (const name of ['series.parquet', 'series.arrow']) {
        expect(read[name].time).toBe('timestamp[ms, tz=UTC]')
        expect(read[name].units).toMatchObject({ temperature: 'F', wind_speed: 'mph', lat: 'degrees' })
      }
    })

    test('CoverageJSON has one coverage for each point that is covered, and UCUM units', () => {
      const [first] = json['series'].results
      expect(read['series.covjson']).toMatchObject({
        coverages: 2,
        times: 6,
        x: [-104.99],
        values: first.series.data.temperature,
      })
      expect(read['series.covjson'].parameters).toEqual({ temperature: '[degF]', wind_speed: '[mi_i]/h' })
      expect(read['point.covjson']).toMatchObject({ coverages: 2, times: 1 })
      expect(read['query.covjson']).toEqual(read['series.covjson'])
    })

    test('hours and days of /v1/weather are rows with units', () => {
      expect(read['hourly.csv'].rows).toBe(json['weather'].hourly.length)
      expect(read['hourly.csv'].columns).toEqual(
        expect.arrayContaining(['time', 'temperature [F]', 'wind_speed [mph]', 'humidity [%]']),
      )
      expect(read['daily.csv'].rows).toBe(json['weather'].daily.length)
      expect(read['daily.csv'].columns).toEqual(
        expect.arrayContaining(['date', 'high [F]', 'precip_total [in]', 'day.temperature [F]']),
      )
      const { events } = read['daily.ics']
      expect(events.map(({ start }: { start: string }) => start)).toEqual(
        json['weather'].daily.map(({ date }: { date: string }) => date),
      )
      for (const { start, end } of events) expect(Date.parse(end) - Date.parse(start)).toBe(86_400_000)
      const { low } = json['weather'].daily[1]
      expect(events[1].summary).toContain(low === null ? '–' : `${Math.round(low)}°F`)
    })

    test('an alert is the same in every format, and a simulated alert is marked as simulated in each', () => {
      const [entry] = read['alert.atom'].entries
      expect(read['alert.atom']).toMatchObject({ bozo: false, version: 'atom10' })
      expect(entry).toMatchObject({
        id: alert.id,
        title: alert.record.headline,
        severity: 'Severe',
        updated: [2026, 8, 20, 21, 12, 0],
      })
      expect(entry.summary.replace(/\s+/g, ' ')).toContain('near Denver, CO')
      expect(entry.links.related).toContain('format=cap')
      expect(read['alert.cap']).toEqual({
        faults: [],
        status: 'Actual',
        description,
        polygon: '39.6,-105 39.6,-104.7 39.9,-104.7 39.6,-105',
      })
      const [event] = read['alert.ics'].events
      expect(event).toMatchObject({
        uid: alert.id,
        summary: 'Severe Thunderstorm Warning',
        start: '2026-08-20T21:12:00+00:00',
        end: '2026-08-20T21:57:00+00:00',
      })
      expect(event.description).toContain(description)
      expect(read['alert.csv']).toMatchObject({ rows: 1 })
      expect(read['alert-simulated.cap']).toMatchObject({ faults: [], status: 'Test' })
      expect(read['alert-simulated.atom'].title).toContain('Simulated')
      expect(read['alert-simulated.ics'].events[0].summary).toContain('Simulated')
      expect(read['alert-simulated.csv'].columns).toContain('simulated')
    })
  },
)
