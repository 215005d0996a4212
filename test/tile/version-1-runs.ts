import { loadCells } from '../../ingest/domain/cell.ts'
import { seeded } from './made-slabs.ts'

/** The content of the runs in `test/cases/tiles-1`, which the writer of version 1 wrote. */
export interface Version1Run {
  readonly run: number
  readonly stage: string
  readonly times: number
  readonly ids: Uint32Array
  /** Number of copies of each variable, so that blocks have fewer levels. */
  readonly copies: number
}

const all = loadCells(7).ids
const run = Date.UTC(2026, 7, 20, 12)

export const version1Runs: Readonly<Record<string, Version1Run>> = {
  'blocks of 343 cells, in part absent, without offsets': {
    ...{ run, stage: 'short', times: 3, copies: 1 },
    ids: all.slice(600_000, 600_420).filter((id) => id % 11 !== 3),
  },
  'blocks of 49 cells with offsets, groups and runs': {
    ...{ run, stage: 'day', times: 24, copies: 1 },
    ids: all.slice(600_000, 600_060),
  },
  'blocks of 7 cells': { ...{ run, stage: 'long', times: 90, copies: 7 }, ids: all.slice(600_000, 600_009) },
}

const shapes: Readonly<Record<string, (c: number, t: number, random: () => number) => number>> = {
  smooth: (c, t) => Math.round(5000 + 300 * Math.sin(c / 90) + 80 * Math.sin(t / 4 + c / 400)),
  gradient: (c, t) => 20 * c + ((t * t) >> 2),
  noisy: (_c, _t, random) => Math.floor(random() * 65_535) - 32_767,
  constant: () => 42,
  absent: () => -32_768,
  rare: (c, t) => (c % 17 === 0 && t % 7 === 3 ? 500 + c : 0),
  holes: (c, t, random) => (random() < 0.3 ? -32_768 : 1000 + c + 3 * t),
}

/** Every code of a run: for each variable, a list of all cells for each time. */
export function codesOf({ times, ids, copies }: Version1Run): Map<string, Int16Array[]> {
  const random = seeded(7)
  const codes = new Map<string, Int16Array[]>()
  for (const [shape, code] of Object.entries(shapes))
    for (let copy = 0; copy < copies; copy++)
      codes.set(
        `${shape} ${copy}`,
        Array.from({ length: times }, (_, t) => Int16Array.from(ids, (_id, c) => code(c, t, random))),
      )
  return codes
}
