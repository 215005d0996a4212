/**
 * A storm that forms, moves, turns, grows and decays, as a function of time only, so that it is the same for every
 * reader. It is a round Gaussian of rain rate, which forms at any minute of its slot of three hours and ends before the
 * next slot ends. The number of storms is therefore about the same at any hour.
 */
export interface Storm {
  readonly id: string
  /** Times at which it forms and ends. */
  readonly birth: number
  readonly death: number
  /** Location where it forms, degrees. */
  readonly lat: number
  readonly lon: number
  /** Motion at `birth` towards east and north, m/s. */
  readonly u: number
  readonly v: number
  /** Rate at which the motion turns, radians an hour. */
  readonly turn: number
  /** Standard deviation of the Gaussian, km. */
  readonly radiusKm: number
  /** Maximum rain rate at its centre, mm/h. */
  readonly peak: number
}

/** Position, motion and strength of a storm at one time. */
export interface StormState {
  readonly storm: Storm
  readonly lat: number
  readonly lon: number
  /** Motion, m/s. */
  readonly u: number
  readonly v: number
  /** Rain rate at the centre, mm/h. */
  readonly rate: number
}

const SLOT = 3 * 3_600_000
const KM_PER_DEGREE = 111.19

/** Areas in which storms form (west, south, east, north), and their number in a slot. */
const stormAreas = [
  { name: 'conus', box: [-122, 27, -72, 48], count: 60 },
  { name: 'alaska', box: [-162, 57, -135, 68], count: 8 },
  { name: 'hawaii', box: [-160.5, 18.6, -154.5, 22.5], count: 4 },
] as const

/** Returns deterministic noise in [0, 1) from three integers. */
function noise(slot: number, index: number, salt: number): number {
  let h =
    Math.imul(slot ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(index + 0x165667b1, 0xc2b2ae35) ^
    Math.imul(salt + 1, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296
}

const slots = new Map<number, readonly Storm[]>()
let share = 1

/** Reduces the number of storms to a share of the country's, for systems that read only a few alerts. */
export function reduceStorms(to: number): void {
  share = to
  slots.clear()
}

function stormsOfSlot(slot: number): readonly Storm[] {
  const cached = slots.get(slot)
  if (cached) return cached
  const storms: Storm[] = []
  for (const [place, { name, box, count }] of stormAreas.entries()) {
    for (let i = 0; i < Math.ceil(count * share); i++) {
      const roll = (salt: number) => noise(slot, i + place * 1000, salt)
      const birth = slot * SLOT + Math.floor(roll(1) * 180) * 60_000
      storms.push({
        id: `${name}-${slot}-${i}`,
        birth,
        death: birth + (60 + Math.floor(roll(2) * 60)) * 60_000,
        lon: box[0] + roll(3) * (box[2] - box[0]),
        lat: box[1] + roll(4) * (box[3] - box[1]),
        u: 6 + 14 * roll(5),
        v: -4 + 12 * roll(6),
        turn: -0.5 + roll(7),
        radiusKm: 18 + 22 * roll(8),
        peak: 6 + 44 * roll(9) ** 2,
      })
    }
  }
  if (slots.size > 400) slots.clear()
  slots.set(slot, storms)
  return storms
}

/** Returns the state of a storm, or undefined before it forms and after it ends. */
export function stormAt(storm: Storm, time: number): StormState | undefined {
  if (time <= storm.birth || time >= storm.death) return undefined
  const hours = (time - storm.birth) / 3_600_000
  const angle = storm.turn * hours
  const u = storm.u * Math.cos(angle) - storm.v * Math.sin(angle)
  const v = storm.u * Math.sin(angle) + storm.v * Math.cos(angle)
  // The path is the integral of a velocity that turns at a constant rate.
  const east =
    Math.abs(storm.turn) < 1e-9
      ? storm.u * hours
      : (storm.u * Math.sin(angle) - storm.v * (1 - Math.cos(angle))) / storm.turn
  const north =
    Math.abs(storm.turn) < 1e-9
      ? storm.v * hours
      : (storm.u * (1 - Math.cos(angle)) + storm.v * Math.sin(angle)) / storm.turn
  const lat = storm.lat + (north * 3.6) / KM_PER_DEGREE
  const lon = storm.lon + (east * 3.6) / (KM_PER_DEGREE * Math.cos((storm.lat * Math.PI) / 180))
  const age = (time - storm.birth) / (storm.death - storm.birth)
  return { storm, lat, lon, u, v, rate: storm.peak * Math.sin(Math.PI * age) ** 2 }
}

/** Returns the states of all storms at a time. */
export function stormsAt(time: number): readonly StormState[] {
  const slot = Math.floor(time / SLOT)
  const states: StormState[] = []
  for (const storm of [...stormsOfSlot(slot - 1), ...stormsOfSlot(slot)]) {
    const state = stormAt(storm, time)
    if (state) states.push(state)
  }
  return states
}

/** The storms of one time in boxes of two degrees, so that a point needs to test only the storms of its box. */
export class StormField {
  readonly #boxes = new Map<number, StormState[]>()

  constructor(time: number) {
    for (const state of stormsAt(time)) {
      const reach = (4 * state.storm.radiusKm) / KM_PER_DEGREE
      const wide = reach / Math.cos((Math.min(75, Math.abs(state.lat) + reach) * Math.PI) / 180)
      for (let y = Math.floor((state.lat - reach) / 2); y <= Math.floor((state.lat + reach) / 2); y++) {
        for (let x = Math.floor((state.lon - wide) / 2); x <= Math.floor((state.lon + wide) / 2); x++) {
          const key = y * 1000 + x
          const box = this.#boxes.get(key)
          if (box) box.push(state)
          else this.#boxes.set(key, [state])
        }
      }
    }
  }

  /** Returns the rain rate of storms at a point, mm/h. @param lon -180..180 */
  rate(lat: number, lon: number): number {
    const box = this.#boxes.get(Math.floor(lat / 2) * 1000 + Math.floor(lon / 2))
    if (!box) return 0
    let sum = 0
    for (const { storm, lat: cy, lon: cx, rate } of box) {
      const dy = (lat - cy) * KM_PER_DEGREE
      const dx = (lon - cx) * KM_PER_DEGREE * Math.cos((cy * Math.PI) / 180)
      const d2 = (dx * dx + dy * dy) / (storm.radiusKm * storm.radiusKm)
      // The rate decreases smoothly to exactly 0 at four radii.
      if (d2 < 16) sum += rate * Math.exp(-d2 / 2) * (1 - d2 / 16) ** 2
    }
    return sum
  }
}

/**
 * Maximum number of cached fields, of 34 KB each. A test that computes a whole answer from the atmosphere reads some
 * 2,000.
 */
const MAX_FIELDS = 3000
/** Number of fields that remain cached from one file to the next. */
export const STORM_FIELDS = 200
const fields = new Map<number, StormField>()

/** Returns the storms of one time, from a cache. */
export function stormField(time: number): StormField {
  let field = fields.get(time)
  if (!field) {
    if (fields.size > MAX_FIELDS) fields.clear()
    field = new StormField(time)
    fields.set(time, field)
  }
  return field
}

/**
 * Clears the caches of storms if they have more than `maxFields` fields; after all values of a run they take 100 MB.
 */
export function forgetStorms(maxFields = 0): void {
  if (fields.size <= maxFields) return
  slots.clear()
  fields.clear()
}
