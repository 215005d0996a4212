/** The real METARs of the fixtures, with AWC's decoded columns as an oracle. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { csvFields } from '../../ingest/decode/station/csv.ts'
import { decodeMetar } from '../../ingest/decode/station/metar.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'

const folder = fileURLToPath(new URL('../../../shared/fixtures/text/metar/', import.meta.url))

export const metarFixtures = existsSync(folder)

export interface OracleRow {
  readonly file: string
  readonly raw: string
  readonly near: number
  readonly columns: Readonly<Record<string, string>>
  /** Each layer as `cover base`, in order. */
  readonly sky: readonly string[]
}

export function oracleRows(): OracleRow[] {
  if (!metarFixtures) return []
  return [
    ...csvRows('awc-cache/metars.cache.2014-12-18.csv'),
    ...xmlRows('awc-cache/metars.cache.2025-02-07.xml'),
    ...csvRows('awc-derived/metars.2024-08-03.csv-as-xml-name.csv'),
  ]
}

export const metarFile = (name: string): Uint8Array => readFileSync(folder + name)

function csvRows(name: string): OracleRow[] {
  const lines = readFileSync(folder + name, 'latin1').split(/\r?\n/)
  const start = lines.findIndex((line) => line.includes('raw_text'))
  const header = csvFields(nth(lines, start))
  return lines.slice(start + 1).flatMap((line) => {
    const fields = csvFields(line)
    if (fields.length !== header.length) return []
    const columns: Record<string, string> = {}
    const sky: string[] = []
    for (const [index, column] of header.entries()) {
      if (column === 'sky_cover' && fields[index]) sky.push(`${fields[index]} ${fields[index + 1]}`.trim())
      else columns[column] = nth(fields, index)
    }
    return [
      {
        file: name,
        raw: entryOf(columns, 'raw_text'),
        near: Date.parse(entryOf(columns, 'observation_time')),
        columns,
        sky,
      },
    ]
  })
}

function xmlRows(name: string): OracleRow[] {
  const text = readFileSync(folder + name, 'utf8')
  const plain = (value: string) => value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return text
    .split('<METAR>')
    .slice(1)
    .map((part) => {
      const columns: Record<string, string> = {}
      for (const [, member, value] of part.matchAll(/<(\w+)>([^<]*)<\/\1>/g)) columns[member!] = plain(value!)
      const sky = [...part.matchAll(/<sky_condition sky_cover="(\w+)"(?: cloud_base_ft_agl="(\d+)")?/g)].map(
        ([, cover, base]) => `${cover} ${base ?? ''}`.trim(),
      )
      return {
        file: name,
        raw: entryOf(columns, 'raw_text'),
        near: Date.parse(entryOf(columns, 'observation_time')),
        columns,
        sky,
      }
    })
}

/** Returns one JSON line for each row, for metar-oracles.py. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { raw, near } of oracleRows()) {
    const decoded = decodeMetar(raw, near)
    console.log(
      JSON.stringify(
        'report' in decoded ? { ...decoded.report, source: raw } : { source: raw, rejected: decoded.rejected.reason },
      ),
    )
  }
}
