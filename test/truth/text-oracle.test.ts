import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { squareDegrees } from '../../ingest/domain/shape/ring.ts'
import { files, readFile } from '../decode/text/files.ts'

interface Row {
  readonly number: number
  readonly watch_probability: number | null
  readonly valid: readonly [string, string]
  readonly attention: readonly string[]
  readonly concerning: string
  /** pyIEM finds this member in upper-case texts only. */
  readonly areas_affected: string | null
  readonly ring: readonly (readonly [number, number])[]
}

/** The results of pyIEM for the same texts (text-oracle.py). */
const oracle = JSON.parse(readFileSync(new URL('text-oracle.json', import.meta.url), 'utf8')) as Record<string, Row>

describe.skipIf(files.length === 0)('MCDs and MPDs agree with pyIEM (../shared/fixtures)', () => {
  test.each(Object.entries(oracle))('%s', (name, row) => {
    const [issue] = readFile(name).issues
    const { number, watch_probability, validFrom, attention, concerning, areas_affected, ring } = issue!.mesoscale!
    const minute = (at: number) => new Date(at).toISOString().replace(/:00\.000Z$/, 'Z')
    expect({
      number,
      watch_probability: watch_probability ?? null,
      valid: [minute(validFrom), minute(issue!.expiresAt!)],
      attention,
      concerning,
      areas_affected: row.areas_affected === null ? null : areas_affected,
      ring,
    }).toEqual(row)
    expect(squareDegrees([[ring]])).toBeCloseTo(squareDegrees([[row.ring]]), 3)
  })

  test('every text was compared', () => expect(Object.keys(oracle)).toHaveLength(13))
})
