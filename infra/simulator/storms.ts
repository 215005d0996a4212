/**
 * Storm cells that are born, move, turn, grow and die: a function of time only, the same for every reader.
 * A storm is a round Gaussian of rain rate, born at any minute of its slot of three hours and gone before the next one ends:
 * at any hour about as many are alive.
 */
export interface Storm {
  readonly id: string
  /** Instants between which it lives. */
  readonly birth: number
  readonly death: number
  /** Where it is born, degrees. */
  readonly lat: number
  readonly lon: number
  /** Motion at birth, m/s towards east and north, and how fast it turns, radians an hour. */
  readonly u: number
  readonly v: number
  readonly turn: number
  /** Standard deviation of the Gaussian, km. */
  readonly radiusKm: number
  /** Rain rate at its centre when fully grown, mm/h. */
  readonly peak: number
}

export interface StormState {
  readonly storm: Storm
  readonly lat: number
  readonly lon: number
  /** Motion now, m/s. */
  readonly u: number
  readonly v: number
  /** Rain rate at the centre now, mm/h. */
  readonly rate: number
}

const SLOT = 3 * 3_600_000
const KM_PER_DEGREE = 111.19

/** Where storms are born: west, south, east, north, and how many in a slot. */
const nurseries = [
  { name: 'conus', box: [-122, 27, -72, 48], count: 60 },
  { name: 'alaska', box: [-162, 57, -135, 68], count: 8 },
  { name: 'hawaii', box: [-160.5, 18.6, -154.5, 22.5], count: 4 },
] as const

/** Deterministic noise in [0, 1) from three integers. */
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

function stormsOfSlot(slot: number): readonly Storm[] {
  const known = slots.get(slot)
  if (known) return known
  const storms: Storm[] = []
  for (const [place, { name, box, count }] of nurseries.entries()) {
    for (let i = 0; i < count; i++) {
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

/** Position and strength of a storm; undefined outside its life. */
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

/** Every storm alive at a time. */
export function stormsAt(time: number): readonly StormState[] {
  const slot = Math.floor(time / SLOT)
  const alive: StormState[] = []
  for (const storm of [...stormsOfSlot(slot - 1), ...stormsOfSlot(slot)]) {
    const state = stormAt(storm, time)
    if (state) alive.push(state)
  }
  return alive
}

/** Storms of one time in boxes of two degrees, so that a point tests only its neighbours. */
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

  /** Rain rate of storms at a point, mm/h; `lon` in -180..180. */
  rate(lat: number, lon: number): number {
    const box = this.#boxes.get(Math.floor(lat / 2) * 1000 + Math.floor(lon / 2))
    if (!box) return 0
    let sum = 0
    for (const { storm, lat: cy, lon: cx, rate } of box) {
      const dy = (lat - cy) * KM_PER_DEGREE
      const dx = (lon - cx) * KM_PER_DEGREE * Math.cos((cy * Math.PI) / 180)
      const d2 = (dx * dx + dy * dy) / (storm.radiusKm * storm.radiusKm)
      // Cut off smoothly at four radii, so that the rate far away is exactly 0.
      if (d2 < 16) sum += rate * Math.exp(-d2 / 2) * (1 - d2 / 16) ** 2
    }
    return sum
  }
}

/** 34 KB each: an answer computed from the atmosphere itself reads some 2,000. */
const MAX_FIELDS = 3000
/** Those that the simulator keeps from one file to the next. */
export const STORM_FIELDS = 200
const fields = new Map<number, StormField>()

export function stormField(time: number): StormField {
  let field = fields.get(time)
  if (!field) {
    if (fields.size > MAX_FIELDS) fields.clear()
    field = new StormField(time)
    fields.set(time, field)
  }
  return field
}

/** Drops what is remembered for speed, where there is more of it than this: 100 MB after the values of a run. */
export function forgetStorms(beyond = 0): void {
  if (fields.size <= beyond) return
  slots.clear()
  fields.clear()
}
