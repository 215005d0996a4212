import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ReadTexts, readTextItem, readTexts } from '../../../ingest/decode/text/item.ts'
import { readTextProducts } from '../../../ingest/decode/text/product.ts'
import { firstTimeLine } from '../../../ingest/decode/text/time.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import type { TextIssue, TextList } from '../../../ingest/domain/text/product.ts'

export const folder = '../shared/fixtures/text'
const families = ['afd', 'hwo', 'now', 'pmd', 'spc/mcd', 'wpc/mpd', 'swo']

/** Real forecaster texts, raw or as JSON of api.weather.gov; empty if the folder is absent. */
export const files = existsSync(folder)
  ? families.flatMap((family) =>
      readdirSync(join(folder, family), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(txt|json)$/.test(name) && !/oracle|listings/.test(name))
        .map((name) => join(family, name)),
    )
  : []

export interface TextFile {
  readonly text: string
  readonly office: string
  readonly issuedAt: number
  readonly type: TextList['type']
}

/** A file as its item in a list would describe it. */
export function textFile(name: string): TextFile {
  const raw = readFileSync(join(folder, name), 'utf8')
  const type = (awips: string) => awips.slice(0, 3) as TextList['type']
  if (name.endsWith('.json')) {
    const item = JSON.parse(raw) as { issuingOffice: string; issuanceTime: string; productCode: string }
    const text = readTextItem(raw)
    return { text, office: item.issuingOffice, issuedAt: Date.parse(item.issuanceTime), type: type(item.productCode) }
  }
  const [product] = readTextProducts(raw)
  const issuedAt = firstTimeLine(product!.body) ?? Date.UTC(2012, 10, 27)
  return { text: raw, office: product!.office, issuedAt, type: type(product!.awips) }
}

export function readFile(name: string): ReadTexts {
  const { text, type, ...item } = textFile(name)
  return readTexts(text, { type }, item)
}

/** A text of one product with the lines of a transmission before it. */
export function transmission(heading: string, awips: string, body: string): string {
  return `\n000\n${heading}\n${awips}\n\n${body}\n`
}

/** The single issue of a valid text. */
export function onlyIssue(text: string, type: TextList['type'], office: string, issuedAt: number): TextIssue {
  const { issues, rejected } = readTexts(text, { type }, { office, issuedAt })
  if (issues.length !== 1)
    throw new Error(`expected one issue, but found ${issues.length}: ${JSON.stringify(rejected)}`)
  return nth(issues, 0)
}
