import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nth } from '../../ingest/domain/nth.ts'
import { recordedFrame } from './recorded-frame.ts'
import type { RateFrame } from './storms.ts'

/** Scans of MRMS's PrecipRate at intervals of two minutes, from a folder of GRIB2 files whose names end in HHMMSS. */
export interface RecordedSequence {
  /** The wettest parts of the grid that do not overlap, named by their place in it. */
  readonly parts: readonly { readonly name: string; readonly left: number; readonly top: number }[]
  /** Returns a part of the scan at a minute after the anchor, from -12 on. */
  at(part: { readonly left: number; readonly top: number }, minute: number): RateFrame
}

/** Size of MRMS's grid of the lower 48 states. */
const [WIDTH, HEIGHT] = [7000, 3500]
/** Minutes from the first scan to the anchor. */
const ANCHOR = 12
const PARTS = 8

export function recordedSequence(folder: string, nx: number, ny: number): RecordedSequence {
  const files = readdirSync(folder)
    .filter((name) => /PrecipRate.*\.grib2(?:\.gz)?$/.test(name))
    .sort()
  const scans = new Map<number, RateFrame>()
  const scanAt = (minute: number): RateFrame => {
    const index = (minute + ANCHOR) / 2
    let scan = scans.get(index)
    if (!scan) {
      scan = recordedFrame(join(folder, nth(files, index)), WIDTH, HEIGHT)
      if (!scan) throw new Error(`${nth(files, index)} cannot be read`)
      scans.set(index, scan)
    }
    return scan
  }
  const cut = ({ left, top }: { readonly left: number; readonly top: number }, { values }: RateFrame): RateFrame => {
    const part = new Float32Array(nx * ny)
    for (let y = 0; y < ny; y++)
      part.set(values.subarray((top + y) * WIDTH + left, (top + y) * WIDTH + left + nx), y * nx)
    return { nx, ny, values: part }
  }
  const places: { name: string; left: number; top: number }[] = []
  for (let top = 0; top + ny <= HEIGHT; top += ny)
    for (let left = 0; left + nx <= WIDTH; left += nx) places.push({ name: `scan at ${left}, ${top}`, left, top })
  const wet = places
    .map((place) => ({ place, count: cut(place, scanAt(0)).values.filter((rate) => rate >= 1).length }))
    .sort((a, b) => b.count - a.count)
  return { parts: wet.slice(0, PARTS).map(({ place }) => place), at: (part, minute) => cut(part, scanAt(minute)) }
}
