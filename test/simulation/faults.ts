import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import type { Random } from '../random.ts'

/** A fault of a source that lasts. */
export interface Spell {
  readonly kind: SpellKind
  readonly until: number
  /** Size of the fault: ms of a delay, or a share of answers. */
  readonly size: number
}

/**
 * Faults of a source that last for minutes or hours:
 *
 * - `late`: the source has what it had some time ago
 * - `missing`: a share of its objects is absent
 * - `down`: every answer is a 503
 * - `silent`: no answer arrives
 * - `frozen`: a cache sends the first copy, with its age
 * - `slow`: answers take long
 * - `page`: every answer is an HTML page with status 200
 */
const spellKinds = ['late', 'missing', 'down', 'silent', 'frozen', 'slow', 'page'] as const
export type SpellKind = (typeof spellKinds)[number]

/** Faults of single calls, with their share of all calls. */
export const rates = {
  'source: connection broken': 0.004,
  'source: status 503': 0.004,
  'source: half a body': 0.002,
  'source: byte changed': 0.002,
  'source: empty body': 0.001,
  'source: older copy': 0.01,
  'source: rows doubled': 0.02,
  'source: rows reordered': 0.05,
  'source: object listed twice': 0.01,
  'objects: write failed': 0.002,
  'objects: write done, answer lost': 0.002,
  'objects: read failed': 0.001,
  'objects: slow': 0.01,
  'database: statement not run': 0.00005,
  'database: statement run, answer lost': 0.00005,
  'event: dropped': 0.02,
  'event: doubled': 0.05,
  'event: late': 0.05,
} as const
export type FaultName = keyof typeof rates

/** Mean time between two periods of faults of a source, hours. */
const HOURS_BETWEEN_SPELLS = 30

/** The faults of a world. They follow from its seed. */
export class Faults {
  readonly #random: Random
  readonly #spells = new Map<string, Spell | undefined>()
  /** End of the hour up to which spells were drawn, by source. */
  readonly #drawnUntil = new Map<string, number>()
  readonly counts = new Map<string, number>()
  /** While true no fault occurs, so that a world can recover. */
  isQuiet = false

  constructor(random: Random) {
    this.#random = random
  }

  get random(): Random {
    return this.#random
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  /** Draws whether this call has a fault. */
  hits(name: FaultName): boolean {
    if (this.isQuiet || this.#random.next() >= rates[name]) return false
    this.count(name)
    return true
  }

  /** Returns the fault that a source has now. */
  spellOf(source: string, now: number): Spell | undefined {
    if (this.isQuiet) return undefined
    const running = this.#spells.get(source)
    if (running && now < running.until) return running
    this.#spells.delete(source)
    const drawn = this.#drawnUntil.get(source) ?? now
    if (now < drawn) return undefined
    this.#drawnUntil.set(source, now + HOUR)
    if (this.#random.next() >= 1 / HOURS_BETWEEN_SPELLS) return undefined
    const kind = this.#random.pick(spellKinds)
    const lasting = this.#random.between(5 * MINUTE, this.#random.next() < 0.2 ? 5 * HOUR : 50 * MINUTE)
    const size = kind === 'missing' ? this.#random.between(0.02, 0.5) : this.#random.between(MINUTE, 40 * MINUTE)
    const spell = { kind, until: now + lasting, size }
    this.#spells.set(source, spell)
    this.count(`source: spell of ${kind}`)
    return spell
  }
}
