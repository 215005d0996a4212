import { AMOUNTS, ANALYSES, hoursBetween, kindOf } from '../../ingest/domain/dataset/history.ts'
import { floorTo, HOUR, isoSeconds } from '../../ingest/domain/time.ts'
import { precipTypes, UNKNOWN } from '../../ingest/domain/weather/precip-type.ts'
import { hourlyNumbers } from '../blend/fields.ts'
import { type PastColumn, type PastTable, pastColumns, pastTable } from '../blend/past-table.ts'
import type { MetaWarning, PastHour, SourceFreshness } from '../contract.ts'
import { choice, instant, type Member, member, numberMembers, type Template, template } from '../present/members.ts'
import type { Page } from '../present/page.ts'
import { perUnits } from '../present/template.ts'
import type { Units } from '../present/units.ts'
import type { WriterMemory } from '../present/writer-memory.ts'
import type { SectionContext } from './section.ts'
import { ceilingUnlimitedMembers, pastWords, wordsCode, wordsMembers } from './words.ts'

/** The rows before the running hour, with warnings and sources. */
export interface PastRows {
  readonly table: PastTable
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  /** Datasets from which values come. */
  readonly sources: readonly string[]
  /** Whether a stored hour could not be read. */
  readonly degraded: boolean
}

const fromAnalyses: ReadonlySet<string> = new Set(pastColumns)
const conciseNumbers = hourlyNumbers.filter(({ concise }) => concise)
const numbersOf = (view: 'detailed' | 'concise') => (view === 'concise' ? conciseNumbers : hourlyNumbers)

/** Reads the stored hours that have ended; undefined if none were requested. @throws Fault */
export async function readPast(context: SectionContext): Promise<PastRows | undefined> {
  const { pastHours, view } = context.query
  if (pastHours === 0) return undefined
  const thisHour = floorTo(context.now, HOUR)
  const [from, to] = [thisHour - (pastHours - 1) * HOUR, thisHour]
  const history = await context.source('history')
  const emptyHours = (): PastHour[] => hoursBetween(from, to).map((time) => ({ time }))
  const { hours, unread } = (await history?.hours(from, to)) ?? { hours: emptyHours(), unread: false }
  const newest = new Map<string, number>()
  for (const { time, analysis, amount } of hours) {
    if (analysis) newest.set(analysis.dataset, time)
    if (amount) newest.set(amount.dataset, time)
  }
  const fields = numbersOf(view).flatMap(({ name }) => (fromAnalyses.has(name) ? [] : [name]))
  return {
    table: pastTable(hours),
    freshness: [...newest].map(([id, time]) => ({
      source: id.split('-', 1).join(),
      product_id: id,
      referenceTime: time,
      latestValid: time,
    })),
    sources: [...newest.keys()],
    degraded: unread,
    warnings: [
      ...missingAnalyses(hours, unread),
      ...missingAmounts(hours),
      {
        code: 'not_held',
        section: 'hourly',
        detail: 'Past hours come from analyses and measured amounts, which do not have these fields.',
        fields,
        from: isoSeconds(from),
        to: isoSeconds(to),
      },
    ],
  }
}

function missingAnalyses(hours: PastTable['hours'], unread: boolean): MetaWarning[] {
  const missing = hours.filter(({ analysis }) => !analysis)
  const [begin] = missing
  const end = missing.at(-1)
  if (!begin || !end) return []
  const first = hours.find(({ analysis }) => analysis)?.time
  const since =
    first === undefined ? 'No analysis is stored.' : `The first stored analysis is for ${isoSeconds(first)}.`
  const why = unread ? 'could be read at this time' : 'is stored'
  const absent = missing.filter(({ amount }) => !amount).length
  const rows =
    absent === 0
      ? ''
      : ` ${absent} of these hours, for which no amount ${why} either, ${absent === 1 ? 'has' : 'have'} no row.`
  return [
    {
      code: unread ? 'source_failed' : 'history_short',
      section: 'hourly',
      detail: `For ${missing.length} of ${hours.length} past hours no analysis ${why}.${rows} ${since}`,
      from: isoSeconds(begin.time),
      to: isoSeconds(end.time),
    },
  ]
}

const amountFields = ['precip_amount', 'precip_type', 'conditions', 'icon']

function missingAmounts(hours: PastTable['hours']): MetaWarning[] {
  const [product_id] = AMOUNTS
  const warningsAbout = (code: MetaWarning['code'], missing: PastTable['hours'], why: string): MetaWarning[] => {
    const [begin] = missing
    const end = missing.at(-1)
    if (!begin || !end) return []
    return [
      {
        code,
        section: 'hourly',
        product_id,
        detail: `For ${missing.length} of ${hours.length} past hours ${why}.`,
        fields: amountFields,
        from: isoSeconds(begin.time),
        to: isoSeconds(end.time),
      },
    ]
  }
  return [
    ...warningsAbout(
      'source_missing',
      hours.filter(({ amount }) => !amount),
      'no accumulation is stored',
    ),
    ...warningsAbout(
      'no_coverage',
      hours.filter(({ amount }) => Number.isNaN(amount?.mm)),
      'the accumulation does not reach the place',
    ),
  ]
}

/** Returns a function that selects null or a word of a list. */
const orNull = (words: readonly string[]) => choice([null, ...words])
const sourceMembers: readonly Member[] = [
  member('source', orNull(ANALYSES.map(kindOf))),
  member('product_id', orNull(ANALYSES)),
  member('precip_product_id', orNull(AMOUNTS)),
]
const typeMembers: readonly Member[] = [member('precip_type', orNull(precipTypes)), ceilingUnlimitedMembers]

const templatesOf = perUnits((memory, units) => ({
  detailed: rowTemplate(memory, [...numberMembers(hourlyNumbers), ...typeMembers], units),
  concise: rowTemplate(memory, numberMembers(conciseNumbers), units),
}))

function rowTemplate(memory: WriterMemory, middle: readonly Member[], units: Units): Template {
  return template(memory, [member('time', instant), ...middle, wordsMembers, ...sourceMembers], units, {})
}

/** Writes the rows as items of the open list, in ascending order. An hour for which nothing is stored has no row. */
export function writePast(page: Page, context: SectionContext, table: PastTable): void {
  const { units, sky, query } = context
  const { hours, columns, precipType, ceilingUnlimited } = table
  const concise = query.view === 'concise'
  const template = templatesOf(page.memory, units)[query.view]
  const { values } = template
  const numbers = numbersOf(query.view).map(({ name }) => columns[name as PastColumn] as Float64Array | undefined)
  for (const [h, { time, analysis, amount }] of hours.entries()) {
    // Steps are counted back from the current row.
    if ((!analysis && !amount) || (hours.length - h) % query.hourlyStep !== 0) continue
    let i = 0
    values[i++] = time
    for (const column of numbers) values[i++] = column ? column[h]! : Number.NaN
    const isMeasured = !Number.isNaN(columns.precip_amount[h]!)
    if (!concise) {
      values[i++] = isMeasured ? 1 + (precipType[h] ?? UNKNOWN) : 0
      values[i++] = ceilingUnlimited[h]!
    }
    values[i++] = wordsCode(isMeasured ? pastWords(table, h, sky.sun(time)) : undefined)
    values[i++] = analysis ? 1 + ANALYSES.indexOf(analysis.dataset) : 0
    values[i++] = analysis ? 1 + ANALYSES.indexOf(analysis.dataset) : 0
    values[i] = amount ? 1 + AMOUNTS.indexOf(amount.dataset) : 0
    page.put(template)
    if (query.include.has('uncertainty')) page.value('uncertainty', null)
    page.closeObject()
  }
}
