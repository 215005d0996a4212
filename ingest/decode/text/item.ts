import { z } from 'zod'
import { Fault } from '../../domain/fault.ts'
import {
  currentUntil,
  type TextIssue,
  type TextKind,
  type TextList,
  type TextSegment,
} from '../../domain/text/product.ts'
import type { Instant } from '../../domain/time.ts'
import { readAfd } from './afd.ts'
import { bbbOf } from './correction.ts'
import { readHls } from './hls.ts'
import { readHwo } from './hwo.ts'
import { readMcd } from './mcd.ts'
import { readMpd } from './mpd.ts'
import { readNow } from './now.ts'
import { deskOf, readPmd } from './pmd.ts'
import { readTextProducts, refuse, type TextProduct, type TextRefusal } from './product.ts'
import { outlookDay, readSwo } from './swo.ts'
import { issueTimes } from './time.ts'

/** A row of a list `api.weather.gov/products/types/T`. */
export interface TextItem {
  /** Id of the product in its address, with letters, digits and dashes only. */
  readonly id: string
  /** Issuing office, such as `KBOX`. */
  readonly office: string
  readonly issuedAt: Instant
}

const item = z.object({
  id: z.string().regex(/^[A-Za-z0-9-]{8,64}$/),
  issuingOffice: z.string().regex(/^[A-Z]{4}$/),
  issuanceTime: z.iso.datetime({ offset: true }),
})

/** Maximum number of rows that are read. A week of all offices' discussions has about 7,000. */
const MAX_ITEMS = 20_000

/**
 * Reads a list of products, and returns it newest first. Rows that cannot be read are counted in `unreadable`.
 * @throws Fault Corrupt if the text is not a list
 */
export function readTextList(text: string): { items: TextItem[]; unreadable: number } {
  const graph = z.object({ '@graph': z.array(z.unknown()) }).safeParse(jsonOf(text, 'text product list'))
  if (!graph.success) {
    throw new Fault(
      'Corrupt',
      `text product list: the body must have a list "@graph", but is ${JSON.stringify(text.slice(0, 60))}`,
      {
        reason: 'not_json',
      },
    )
  }
  const rows = graph.data['@graph'].slice(0, MAX_ITEMS)
  const items = new Map<string, TextItem>()
  let unreadable = 0
  for (const row of rows) {
    const { success, data } = item.safeParse(row)
    if (success) {
      items.set(data.id, { id: data.id, office: data.issuingOffice, issuedAt: Date.parse(data.issuanceTime) })
    } else unreadable++
  }
  return {
    items: [...items.values()].sort((a, b) => b.issuedAt - a.issuedAt || (a.id < b.id ? -1 : 1)),
    unreadable,
  }
}

/**
 * Returns the text of a product from the body of `/products/{id}`.
 * @throws Fault Corrupt if the body is not a JSON object with `productText`
 */
export function readTextItem(text: string): string {
  const body = z.object({ productText: z.string() }).safeParse(jsonOf(text, 'text product'))
  if (!body.success)
    refuse(
      'not_json',
      `text product: the body must have a text "productText", but is ${JSON.stringify(text.slice(0, 60))}`,
    )
  // Lone surrogates cannot be stored, so they are replaced. A NUL leads to the rejection of the product below.
  return body.data.productText.toWellFormed()
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    refuse(
      /^\s*</.test(text.slice(0, 200)) ? 'html' : 'not_json',
      `${what}: the body must be JSON, but begins with ${JSON.stringify(text.slice(0, 60))}`,
    )
  }
}

export interface RejectedText {
  readonly reason: TextRefusal
  readonly detail: string
}

export interface ReadTexts {
  readonly issues: readonly TextIssue[]
  readonly rejected: readonly RejectedText[]
  /** AWIPS ids of products of the list's type that we do not read, such as `PMDSA`, `FFGATL` and `HWOSPN`. */
  readonly ignored: readonly string[]
}

/**
 * Decodes every product of a text; each product has heading lines of its own.
 * @param list the list that contains the item
 * @throws Fault Corrupt if the whole text is rejected
 */
export function readTexts(text: string, list: Pick<TextList, 'type'>, item: Omit<TextItem, 'id'>): ReadTexts {
  const issues: TextIssue[] = []
  const rejected: RejectedText[] = []
  const ignored: string[] = []
  for (const product of readTextProducts(text)) {
    try {
      const kind = kindOf(product.awips, list.type)
      if (kind === undefined) ignored.push(product.awips)
      else issues.push(readIssue(product, kind, item))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      rejected.push({ reason: error.details['reason'] as TextRefusal, detail: `${product.awips}: ${error.message}` })
    }
  }
  return { issues, rejected, ignored }
}

/** Returns the kind of a product by its AWIPS id; undefined if we do not read products with this id. */
function kindOf(awips: string, type: TextList['type']): TextKind | undefined {
  if (!awips.startsWith(type))
    refuse('wrong_kind', `text product: the AWIPS id must begin with ${type}, but is ${awips}`)
  // San Juan's texts in Spanish repeat the English texts.
  if (awips.endsWith('SPN') && awips.length === 6) return undefined
  if (type === 'SWO') return awips === 'SWOMCD' ? 'mcd' : outlookDay(awips) === undefined ? undefined : 'swo'
  if (type === 'FFG') return awips === 'FFGMPD' ? 'mpd' : undefined
  if (type === 'PMD') return deskOf(awips) ? 'pmd' : undefined
  return type.toLowerCase() as TextKind
}

function readIssue(product: TextProduct, kind: TextKind, item: Omit<TextItem, 'id'>): TextIssue {
  if (product.office !== item.office) {
    refuse('wrong_office', `text product: the WMO line must be of ${item.office}, but is of ${product.office}`)
  }
  const times = issueTimes(product, item.issuedAt)
  if (!times)
    refuse('no_time', `text product: the WMO line must have a time ddhhmm near the issue, but has ${product.ddhhmm}`)
  const { wmoAt, issuedAt } = times
  const issue = { kind, awips: product.awips, office: product.office, wmoAt, issuedAt, body: product.body }
  const bbb = bbbOf(product)
  return { ...issue, ...(bbb && { bbb }), ...contentOf(product, kind, issuedAt) }
}

type IssueContent = Omit<TextIssue, 'kind' | 'awips' | 'office' | 'wmoAt' | 'bbb' | 'issuedAt' | 'body'>

function contentOf({ awips, office, body }: TextProduct, kind: TextKind, issuedAt: Instant): IssueContent {
  const subject = `${kind} ${awips} ${office}`
  switch (kind) {
    case 'afd':
      return { subject, currentUntil: currentUntil(kind, issuedAt), ...readAfd(body) }
    case 'hwo':
      return segmented(subject, kind, issuedAt, readHwo(body, issuedAt))
    case 'now':
      return segmented(subject, kind, issuedAt, readNow(body, issuedAt))
    case 'hls':
      return segmented(subject, kind, issuedAt, readHls(body, issuedAt))
    case 'mcd':
    case 'mpd': {
      const { endsAt, summary, sections, ...mesoscale } =
        kind === 'mcd' ? readMcd(body, issuedAt) : readMpd(body, issuedAt)
      return {
        subject: `${kind} ${new Date(issuedAt).getUTCFullYear()} ${mesoscale.number}`,
        currentUntil: currentUntil(kind, issuedAt, endsAt),
        expiresAt: endsAt,
        ...(summary !== undefined && { summary }),
        sections,
        mesoscale,
      }
    }
    case 'pmd': {
      const desk = deskOf(awips)!
      return {
        subject: `pmd ${desk}`,
        currentUntil: currentUntil(kind, issuedAt),
        sections: {},
        desk,
        ...readPmd(body),
      }
    }
    case 'swo': {
      const { endsAt, ...read } = readSwo(body, issuedAt)
      const day = outlookDay(awips)!
      return {
        subject: `swo ${day}`,
        currentUntil: currentUntil(kind, issuedAt, endsAt),
        expiresAt: endsAt,
        day,
        ...read,
      }
    }
  }
}

function segmented(subject: string, kind: TextKind, issuedAt: Instant, segments: readonly TextSegment[]): IssueContent {
  const ends = segments.map(({ endsAt }) => currentUntil(kind, issuedAt, endsAt))
  const stated = segments.flatMap(({ endsAt }) => (endsAt === undefined ? [] : [endsAt]))
  return {
    subject,
    currentUntil: ends.length > 0 ? Math.max(...ends) : currentUntil(kind, issuedAt),
    ...(stated.length > 0 && { expiresAt: Math.max(...stated) }),
    ...(segments[0]?.summary !== undefined && { summary: segments[0].summary }),
    sections: segments[0]?.sections ?? {},
    segments,
  }
}
