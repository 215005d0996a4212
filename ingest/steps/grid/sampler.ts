import { hash } from 'node:crypto'
import type { Message } from 'grib2-wasm'
import { type Variable, variable } from '../../domain/dataset/variable.ts'
import { discard } from '../../domain/discard.ts'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { lay } from '../../tile/kernels.ts'
import { joinSlabs, type MessageSource, type PackedSlab } from '../../tile/slab.ts'
import { type SampleKernels, sampleKernels, statisticsSize } from './kernels.ts'
import { type MappedGrid, type Mapping, mappingOf } from './mapping.ts'
import { corrupt, memberCount, messageOf, requireSameGrid } from './read-message.ts'
import type {
  DirectionItem,
  FieldMessage,
  SampledFile,
  SampleItem,
  SampleRequest,
  ScalarItem,
  SlabReport,
  WindItem,
} from './sample-request.ts'
import { slabScale } from './slab-scale.ts'
import { anglesOf } from './wind-angles.ts'

interface Placed {
  readonly field: number
  readonly other: number
  readonly map: number
  readonly codes: number
  readonly more: number
  readonly sizes: number
  readonly packed: number
  readonly statistics: number
  readonly moreStatistics: number
  readonly angles: number
}

/** The cells of a grid; their entries are in the kernels' memory. */
type GridCells = Pick<Mapping, 'cover' | 'share'>

/** State of a thread between calls: its kernels, whose memory has the mapping of the last grid, and its wind angles if they were needed. */
export class Sampler {
  readonly #kernels: SampleKernels = sampleKernels()
  #placed:
    | { readonly key: string; readonly at: Placed; readonly cells: GridCells; readonly angles: boolean }
    | undefined
  /** SHA-256 of the messages of a request by their first byte: several items may use one message. */
  readonly #digests = new Map<number, string>()

  sample(request: SampleRequest): SampledFile {
    this.#digests.clear()
    const slabs: PackedSlab[] = []
    const reports: SlabReport[] = []
    let first: GridCells | undefined
    for (const item of request.items) {
      for (const { slab, report, mapping } of this.#sample(item, request)) {
        first ??= mapping
        if (mapping !== first && !sameIds(mapping.cover.ids, first.cover.ids)) {
          throw new Fault(
            'Corrupt',
            `${slab.variable}: its grid must have the ${first.cover.ids.length} cells of the previous fields in the file, but has other cells (${mapping.cover.ids.length})`,
          )
        }
        slabs.push(slab)
        reports.push(report)
      }
    }
    if (!first)
      throw new Fault('Invalid', `sample ${request.dataset}: the request must have at least one item, but has none`)
    const { cover, share } = first
    const { dataset, domain, run, resolution } = request
    const bytes = joinSlabs({ dataset, domain: domain.id, run, resolution }, cover, slabs)
    for (const slab of slabs) discard(slab.bytes)
    return { bytes, slabs: reports, cells: cover.ids.length, share }
  }

  #sample(item: SampleItem, request: SampleRequest): Sampled[] {
    if (item.kind === 'wind') return this.#wind(item, request)
    if (item.kind === 'direction') return this.#direction(item, request)
    return [this.#scalar(item, request)]
  }

  #scalar(item: ScalarItem, request: SampleRequest): Sampled {
    const row = variable(item.variable)
    const message = messageOf(item.message, item.variable)
    const minus = item.minus && messageOf(item.minus, item.variable)
    const { nx, ny, points } = message.grid
    if (minus) requireSameGrid(`${item.variable}: it and the field to subtract`, message, minus)
    const mapping = this.#place(message.grid, request, false)
    if (minus) this.#decode(minus, 'other', item.variable)
    const at = this.#decode(message, 'field', item.variable)
    const quantum = item.members ? 0 : message.packing.quantum
    if (item.members) this.#fill(at.field, points, memberCount(message, item.variable))
    const rows = this.#rows(nx, ny, at.field)
    for (const value of item.missing ?? []) {
      this.#kernels.maskValue(at.field, points, value, Math.max(quantum / 2, Math.abs(value) * 1e-6))
    }
    if (minus) this.#subtract(at.field, at.other, points)
    const scale = item.scale ?? 1
    const offset = item.offset ?? 0
    const sourceStep = Math.abs(quantum * scale)
    const [low, high] = row.range
    // Values that exceed the range by a rounding error are clamped; a sentinel such as -3 must not be clamped.
    const ease = Math.max(sourceStep / 2, Math.min(row.precision, (high - low) / 200))
    const limits = [(low - ease - offset) / scale, (high + ease - offset) / scale].sort((a, b) => a - b)
    const call = row.space === 'nearest' ? this.#kernels.sampleNearest : this.#kernels.sampleBilinear
    for (let coarser = 0; ; coarser++) {
      const { quantum: step, offset: zero } = slabScale(row, sourceStep, coarser)
      const [codeLow, codeHigh] = [(low - zero) / step, (high - zero) / step]
      const n = mapping.cover.ids.length
      const [factor, shift] = [scale / step, (offset - zero) / step]
      call(
        at.field,
        nx,
        at.map,
        n,
        nth(limits, 0),
        nth(limits, 1),
        factor,
        shift,
        codeLow,
        codeHigh,
        at.codes,
        at.statistics,
      )
      const statistics = this.#statistics(at.statistics)
      if (statistics.beyond > 0 && coarser < 16) continue
      const source = this.#sourceOf(item.message, item.minus)
      return this.#finish(mapping, row, item, source, at.codes, statistics, { quantum: step, offset: zero }, rows)
    }
  }

  /** Replaces the values of a field, but not its gaps. */
  #fill(field: number, points: number, value: number): void {
    const values = new Float32Array(this.#kernels.memory.buffer, field, points)
    for (const [k, old] of values.entries()) if (!Number.isNaN(old)) values[k] = value
  }

  #subtract(field: number, other: number, points: number): void {
    const values = new Float32Array(this.#kernels.memory.buffer, field, points)
    const less = new Float32Array(this.#kernels.memory.buffer, other, points)
    for (let k = 0; k < points; k++) values[k] = Math.max(0, values[k]! - less[k]!)
  }

  #wind(item: WindItem, request: SampleRequest): Sampled[] {
    const name = `${item.speed}, ${item.direction}`
    const u = messageOf(item.u, name)
    const v = messageOf(item.v, name)
    requireSameGrid(`${name}: u and v`, u, v)
    const mapping = this.#place(u.grid, request, u.grid.uvRelativeToGrid)
    this.#decode(u, 'field', name)
    const at = this.#decode(v, 'other', name)
    const { nx, ny, points } = u.grid
    const rows = this.#rows(nx, ny, at.field, at.other)
    if (u.grid.uvRelativeToGrid) this.#kernels.turnWind(at.field, at.other, points, at.angles)
    const quantum = Math.max(u.packing.quantum, v.packing.quantum)
    const source = this.#sourceOf(item.u, item.v)
    return this.#vectors(mapping, at, nx, 180, rows, item, [
      { row: variable(item.speed), source, quantum },
      { row: variable(item.direction), source, quantum: 0 },
    ])
  }

  #direction(item: DirectionItem, request: SampleRequest): Sampled[] {
    const direction = messageOf(item.message, item.variable)
    const speed = item.speed && messageOf(item.speed, item.variable)
    const { nx, ny, points } = direction.grid
    if (speed) requireSameGrid(`${item.variable}: direction and speed`, direction, speed)
    const mapping = this.#place(direction.grid, request, false)
    if (speed) this.#decode(speed, 'other', item.variable)
    const at = this.#decode(direction, 'field', item.variable)
    if (!speed) new Float32Array(this.#kernels.memory.buffer, at.other, points).fill(1)
    this.#kernels.fromDirection(at.field, at.other, points)
    // The components may have different scanning modes.
    const rows = this.#rows(nx, ny, at.field, at.other)
    const source = this.#sourceOf(item.message, item.speed)
    return this.#vectors(mapping, at, nx, 0, rows, item, [
      undefined,
      { row: variable(item.variable), source, quantum: direction.packing.quantum },
    ])
  }

  #vectors(
    mapping: GridCells,
    at: Placed,
    nx: number,
    turn: number,
    rows: RowFit,
    item: SampleItem,
    pair: readonly ({ row: Variable; source: MessageSource | undefined; quantum: number } | undefined)[],
  ): Sampled[] {
    const [speed, direction] = pair.map((want) => want && { ...want, scale: slabScale(want.row, want.quantum) })
    this.#kernels.sampleWind(
      at.field,
      at.other,
      nx,
      at.map,
      mapping.cover.ids.length,
      strongest,
      speed ? 1 / speed.scale.quantum : 1,
      direction ? 1 / direction.scale.quantum : 1,
      turn,
      speed ? at.codes : 0,
      direction ? at.more : 0,
      at.statistics,
      at.moreStatistics,
    )
    const statistics = this.#statistics(at.statistics)
    const moreStatistics = this.#statistics(at.moreStatistics)
    const sampled: Sampled[] = []
    if (speed) {
      sampled.push(this.#finish(mapping, speed.row, item, speed.source, at.codes, statistics, speed.scale, rows))
    }
    if (direction) {
      const { row, source, scale } = direction
      sampled.push(this.#finish(mapping, row, item, source, at.more, moreStatistics, scale, rows))
    }
    return sampled
  }

  /** Returns the address of a message with the digest of its bytes, and that of the item's second message. */
  #sourceOf({ bytes, source }: FieldMessage, second?: FieldMessage): MessageSource | undefined {
    if (!source) return undefined
    const sha256 = this.#digests.get(source.from) ?? hash('sha256', bytes)
    this.#digests.set(source.from, sha256)
    const v = second && this.#sourceOf(second)
    return {
      ...source,
      sha256,
      ...(v && { v: { from: v.from, length: v.length, number: v.number, sha256: v.sha256 } }),
    }
  }

  /** Returns the roughness of rows: the worst of several fields. */
  #rows(nx: number, ny: number, ...fields: readonly number[]): RowFit {
    const worst = { roughness: Number.NaN, mirrored: Number.NaN }
    for (const field of fields) {
      const roughness = this.#kernels.roughness(field, nx, ny)
      const mirrored = this.#kernels.mirrored()
      worst.roughness = greater(worst.roughness, roughness)
      worst.mirrored = greater(worst.mirrored, mirrored)
    }
    return worst
  }

  #statistics(at: number): CodeStatistics {
    const view = new DataView(this.#kernels.memory.buffer, at, statisticsSize)
    return {
      least: view.getInt32(0, true),
      most: view.getInt32(4, true),
      sum: Number(view.getBigInt64(8, true)),
      missing: view.getInt32(16, true),
      rejected: view.getInt32(20, true),
      beyond: view.getInt32(24, true),
    }
  }

  #finish(
    mapping: GridCells,
    row: Variable,
    item: SampleItem,
    source: MessageSource | undefined,
    codes: number,
    statistics: CodeStatistics,
    scale: { quantum: number; offset: number },
    rows: RowFit,
  ): Sampled {
    const { cover } = mapping
    const { at } = this.#placed!
    const cells = cover.ids.length
    const parts = new Uint32Array(cover.partCells.length)
    let to = at.packed
    for (let p = 0; p + 1 < parts.length; p++) {
      const from = codes + cover.partCells[p]! * 2
      const sizes = at.sizes + cover.partGroups[p]! * 2
      to = this.#kernels.packGroups(from, sizes, cover.partGroups[p + 1]! - cover.partGroups[p]!, to)
      parts[p + 1] = to - at.packed
    }
    const bytes = new Uint8Array(this.#kernels.memory.buffer, at.packed, to - at.packed).slice()
    const { quantum, offset } = scale
    const known = cells - statistics.missing
    const value = (code: number) => (known > 0 ? code * quantum + offset : Number.NaN)
    const { time } = item
    return {
      mapping,
      slab: { variable: row.name, time, quantum, offset, source, bytes, parts },
      report: {
        variable: row.name,
        time,
        quantum,
        min: value(statistics.least),
        max: value(statistics.most),
        mean: value(statistics.sum / known),
        missing: statistics.missing / cells,
        rejected: statistics.rejected / cells,
        ...rows,
      },
    }
  }

  /** Copies the mapping of the grid into the kernels' memory and allocates its fields, unless they exist already. */
  #place(grid: Message['grid'], request: SampleRequest, angles: boolean): GridCells {
    const { domain, resolution, cacheDir } = request
    const key = JSON.stringify([grid.key, domain.bbox, resolution])
    const placed = this.#placed
    if (placed?.key === key && (placed.angles || !angles)) return placed.cells
    const { entries, ...cells } = mappingOf(grid, domain.bbox, resolution, cacheDir)
    const n = cells.cover.ids.length
    // Winds follow scalar fields in a file, so memory for their angles is allocated with the first wind.
    const turned = angles || (grid.uvRelativeToGrid && request.items.some(({ kind }) => kind === 'wind'))
    const at = lay(this.#kernels, {
      statistics: statisticsSize,
      moreStatistics: statisticsSize,
      map: entries.length,
      sizes: cells.cover.groups.length * 2,
      codes: n * 2,
      more: n * 2,
      packed: n * 2 + cells.cover.groups.length * 8,
      field: grid.points * 4 + 64,
      other: grid.points * 4 + 64,
      angles: turned ? grid.points * 8 : 0,
    })
    const memory = new Uint8Array(this.#kernels.memory.buffer)
    memory.set(entries, at.map)
    discard(entries)
    new Uint16Array(memory.buffer, at.sizes, cells.cover.groups.length).set(cells.cover.groups)
    if (turned) {
      const turns = anglesOf(grid, cacheDir)
      memory.set(turns, at.angles)
      discard(turns)
    }
    this.#placed = { key, at, cells, angles: turned }
    return cells
  }

  #decode(message: Message, where: 'field' | 'other', name: string): Placed {
    const { at } = this.#placed!
    try {
      message.values(new Float32Array(this.#kernels.memory.buffer, at[where], message.points))
    } catch (error) {
      throw corrupt(name, error)
    }
    return at
  }
}

/** Tolerance in m/s: a value that exceeds the table's range by a rounding error is still valid. */
const strongest = variable('wind_speed').range[1] + 0.5

/** Returns the larger number; NaN is ignored. */
function greater(value: number, other: number): number {
  return Number.isNaN(value) || other > value ? other : value
}

type RowFit = Pick<SlabReport, 'roughness' | 'mirrored'>

interface CodeStatistics {
  readonly least: number
  readonly most: number
  readonly sum: number
  readonly missing: number
  readonly rejected: number
  /** Not 0 if a code did not fit 16 bits. */
  readonly beyond: number
}

interface Sampled {
  readonly mapping: GridCells
  readonly slab: PackedSlab
  readonly report: SlabReport
}

function sameIds(ids: Uint32Array, other: Uint32Array): boolean {
  return ids.length === other.length && ids.every((id, i) => id === other[i])
}

export type { MappedGrid }
