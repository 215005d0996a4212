import type { Misbehaviour } from '../../../infra/simulator/mirror.ts'
import type { SimulatedHost } from '../../../infra/simulator/source.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { quarantined } from '../../../sql/queries/quarantine.ts'
import type { Random } from '../../random.ts'
import type { Stores } from './stores.ts'
import type { Outcome } from './tally.ts'

/** The effect of a fault on a document: other bytes, or a mirror that misbehaves. */
export interface HarmedDocument {
  readonly bytes?: Uint8Array
  readonly how?: Misbehaviour['how']
  readonly detail: string
}

export interface DocumentFault {
  readonly name: string
  /** The fault harms a single row or feature. */
  readonly single?: boolean
  /** The rows were right at an earlier time, and are stored as of that time. */
  readonly older?: boolean
  make(bytes: Buffer, random: Random): HarmedDocument | Promise<HarmedDocument>
}

/** A document of a feed or a file of a frame, and the rows that are stored from it. */
export interface DocumentTarget {
  readonly dataset: string
  /** Path, on its host, of the document that the fault changes. */
  readonly path: string
  readonly faults: readonly DocumentFault[]
  /** Resets the stores to their state before the document is read. */
  reset(): Promise<void>
  sweep(): Promise<unknown>
  /** Stored values by row. A key lists the names under which quarantine may have the row, separated by slashes. */
  snapshot(): Promise<ReadonlyMap<string, string>>
  /** Rows that are right in addition to those stored without a fault. */
  readonly alsoRight?: ReadonlySet<string>
  /** Whether an older row may stand in for a row that could not be read. */
  readonly fallsBack?: boolean
}

export interface HarmState {
  path: string
  bytes?: Uint8Array
}

/** Serves other bytes in place of a document. */
export function harmingDocuments(source: SimulatedHost, state: HarmState): SimulatedHost {
  return {
    ...source,
    async find(path, query, now) {
      const document = await source.find(path, query, now)
      const { bytes } = state
      if (!document || !bytes || path !== state.path) return document
      return { ...document, etag: `"harmed-${bytes.length}-${Math.random()}"`, size: bytes.length, body: () => bytes }
    },
  }
}

interface Known {
  readonly right: ReadonlyMap<string, string>
  readonly before: ReadonlyMap<string, string>
  readonly bytes: Buffer
}

/** Injects faults into documents, one after the other. @param fetch the document as upstream has it */
export function documentWalk(
  stores: Stores,
  targets: readonly DocumentTarget[],
  state: HarmState,
  misbehaviours: Misbehaviour[],
  fetch: (path: string) => Promise<Uint8Array>,
): (random: Random) => Promise<Outcome> {
  const baselines = new Map<DocumentTarget, Known>()
  let count = 0
  const knownOf = async (target: DocumentTarget): Promise<Known> => {
    const document = baselines.get(target)
    if (document) return document
    await target.reset()
    const before = await target.snapshot()
    await target.sweep()
    const baseline = { before, right: await target.snapshot(), bytes: Buffer.from(await fetch(target.path)) }
    if (baseline.right.size === 0)
      throw new Error(`${target.dataset} ${target.path}: nothing is stored without a fault`)
    baselines.set(target, baseline)
    return baseline
  }
  return async (random) => {
    const target = nth(targets, count++ % targets.length)
    const { before, right, bytes } = await knownOf(target)
    const fault = random.pick(target.faults)
    const harmed = await fault.make(bytes, random)
    await target.reset()
    await stores.database.query('delete from quarantine')
    Object.assign(state, { path: target.path, bytes: harmed.bytes })
    if (harmed.how) misbehaviours.push({ path: target.path, how: harmed.how })
    const from = performance.now()
    try {
      await target.sweep()
    } catch (error) {
      if (!isFault(error)) throw error
    } finally {
      state.bytes = undefined
      misbehaviours.length = 0
    }
    const namedMs = await stores.named(target.dataset, from)
    const names = new Set((await quarantined(stores.database, 1000)).map(({ variable }) => variable))
    const actual = await target.snapshot()
    const nameOf = (id: string) => id.split('/').find((part) => names.has(part))
    const leaks: string[] = []
    const lost = new Set<string>()
    for (const [id, value] of actual) {
      if (value === right.get(id) || value === before.get(id)) continue
      if (target.alsoRight?.has(id)) continue
      if ((target.fallsBack || fault.older) && !right.has(id)) continue
      const name = nameOf(id)
      if (name === undefined) leaks.push(`${id} ${value} in place of ${right.get(id)}`.slice(0, 200))
      else lost.add(name)
    }
    for (const id of right.keys()) if (!actual.has(id)) lost.add(nameOf(id) ?? nth(id.split('/'), 0))
    const same = actual.size === right.size && [...right].every(([id, value]) => actual.get(id) === value)
    return {
      name: `${target.dataset} ${target.path}: ${fault.name} ${harmed.detail}`,
      leaks,
      harmed: [...lost],
      single: fault.single ?? false,
      namedMs,
      harmless: same,
    }
  }
}

const how = (name: string, kind: Misbehaviour['how']): DocumentFault => ({
  name,
  make: (_, random) => ({ how: kind, detail: String(random.integer(1, 1e6)) }),
})

/** Faults that any document may have. A random number distinguishes two faults of one kind. */
export const anyDocument: readonly DocumentFault[] = [
  how('redirect', 'redirect'),
  how('forbidden', 'forbidden'),
  {
    name: 'a page',
    make(_, random) {
      const detail = `error ${random.integer(1, 1e6)}`
      return { bytes: Buffer.from(`<!DOCTYPE html>\n<html><body><h1>${detail}</h1></body></html>\n`), detail }
    },
  },
  {
    name: 'empty',
    make: (_, random) => ({ bytes: Buffer.alloc(random.integer(0, 9), ' '), detail: String(random.integer(1, 1e6)) }),
  },
  {
    name: 'the end is missing',
    make(bytes, random) {
      const share = random.between(0.02, 0.98)
      return { bytes: bytes.subarray(0, Math.floor(bytes.length * share)), detail: share.toFixed(4) }
    },
  },
  {
    name: 'another document',
    make(_, random) {
      const text = random.pick([
        '{}',
        '[]',
        'null',
        '"text"',
        '42',
        '{"status":500,"title":"Unexpected Problem"}',
        '\0\0\0\0\0',
      ])
      return {
        bytes: Buffer.from(text + ' '.repeat(random.integer(0, 400))),
        detail: JSON.stringify(text) + random.integer(1, 1e6),
      }
    },
  },
]

// biome-ignore lint/suspicious/noExplicitAny: a feature as it is parsed
type Feature = Record<string, any>

/** Edits one feature of a JSON document. */
export function onFeature(
  name: string,
  edit: (feature: Feature, random: Random) => string,
  list = 'features',
): DocumentFault {
  return {
    name,
    single: true,
    make(bytes, random) {
      const body = JSON.parse(bytes.toString())
      const index = random.integer(0, body[list].length - 1)
      const detail = edit(body[list][index], random)
      return { bytes: Buffer.from(JSON.stringify(body)), detail: `${index} ${detail}` }
    },
  }
}

/** Replaces one feature of a JSON document. */
export function inPlaceOfFeature(name: string, by: readonly unknown[], list = 'features'): DocumentFault {
  return {
    name,
    single: true,
    make(bytes, random) {
      const body = JSON.parse(bytes.toString())
      const index = random.integer(0, body[list].length - 1)
      body[list][index] = random.pick(by)
      return { bytes: Buffer.from(JSON.stringify(body)), detail: `${index} ${JSON.stringify(body[list][index])}` }
    },
  }
}
