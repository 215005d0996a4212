import type { Misbehaviour } from '../../../infra/simulator/mirror.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import type { Random } from '../../random.ts'
import { fitting, type Parts, sectionAt, withValues } from './messages.ts'

/** The effect of a fault on a file. `how` is the status that the mirror answers instead of the file. */
export interface Harmed {
  readonly data?: Uint8Array
  readonly index?: Uint8Array
  /** How the mirror misbehaves. */
  readonly how?: Misbehaviour['how']
}

export interface Subject {
  readonly parts: Parts
  /** Number of the harmed message, from 0, its element, and the unit of its variable. */
  readonly message: number
  readonly unit: string
  /** Mean of the variable over all cells as it is published without a fault. */
  readonly mean: number
  /** The same hour of the previous run. */
  readonly before: Parts
  /** The same file from another domain or dataset. */
  readonly elsewhere: Parts
}

export interface GribFault {
  readonly name: string
  /** The fault harms one message, so at most one variable may be lost. */
  readonly single: boolean
  readonly applies?: (subject: Subject) => boolean
  make(subject: Subject, random: Random): { readonly harmed: Harmed; readonly detail: string }
}

const bytesOf = (parts: Parts): Harmed => ({
  data: Buffer.concat(parts.messages),
  index: Buffer.from(`${fitting(parts).join('\n')}\n`),
})

/** Returns the file with one message replaced. */
function replaced({ parts, message }: Subject, by: Buffer): Harmed {
  return bytesOf({ ...parts, messages: parts.messages.map((original, k) => (k === message ? by : original)) })
}

function edited(subject: Subject, edit: (message: Buffer, section: (number: number) => number) => void): Harmed {
  const message = Buffer.from(nth(subject.parts.messages, subject.message))
  const starts = new Map([1, 3, 4, 5, 6, 7].map((number) => [number, sectionAt(message, number)]))
  edit(message, (number) => starts.get(number)!)
  return replaced(subject, message)
}

const messageFault = (
  name: string,
  edit: (message: Buffer, section: (number: number) => number, random: Random) => string,
  applies?: GribFault['applies'],
): GribFault => ({
  name,
  single: true,
  applies,
  make(subject, random) {
    let detail = ''
    const harmed = edited(subject, (message, section) => {
      detail = edit(message, section, random)
    })
    return { harmed, detail }
  },
})

const values = (
  name: string,
  units: readonly string[],
  change: (
    random: Random,
    subject: Subject,
  ) => { detail: string; valueAt: (value: number, k: number, nx: number) => number },
  applies: (subject: Subject) => boolean = () => true,
): GribFault => ({
  name,
  single: true,
  applies: (subject) => units.includes(subject.unit) && applies(subject),
  make(subject, random) {
    const { detail, valueAt } = change(random, subject)
    return { harmed: replaced(subject, withValues(nth(subject.parts.messages, subject.message), valueAt)), detail }
  },
})

const scaled = (
  name: string,
  units: readonly string[],
  factor: number,
  offset = 0,
  applies?: (s: Subject) => boolean,
) => values(name, units, () => ({ detail: '', valueAt: (value) => value * factor + offset }), applies)

/** Offsets in section 3, by template: la1, lo1, and the grid distances. */
const PLACES: Readonly<Record<number, readonly [la1: number, lo1: number, dx: number, dy: number, scan: number]>> = {
  0: [46, 50, 63, 67, 71],
  10: [38, 42, 64, 68, 59],
  20: [38, 42, 55, 59, 64],
  30: [38, 42, 55, 59, 64],
}
const templateOf = (message: Buffer, three: number) => message.readUInt16BE(three + 12)

/** Encodes a signed number in four octets, as sign and magnitude. */
const signed = (value: number) => (value < 0 ? (0x80000000 | -value) >>> 0 : value)

const VARYING = ['K', 'm/s', 'Pa']
const always = (subject: Subject) => subject.mean !== 0

export const gribFaults: readonly GribFault[] = [
  messageFault('moved grid', (message, section, random) => {
    const at = section(3) + nth(PLACES[templateOf(message, section(3))]!, random.integer(0, 1))
    const micro = random.integer(2_000, 8_000_000) * (random.next() < 0.5 ? 1 : -1)
    const value = message.readUInt32BE(at)
    const plain = value & 0x80000000 ? -(value & 0x7fffffff) : value
    message.writeUInt32BE(signed(plain + micro), at)
    return `by ${micro} millionths at ${at - section(3)}`
  }),
  messageFault('other distance of points', (message, section, random) => {
    const at = section(3) + nth(PLACES[templateOf(message, section(3))]!, random.integer(2, 3))
    const factor = random.next() < 0.5 ? random.between(0.5, 0.999) : random.between(1.001, 2)
    message.writeUInt32BE(Math.round(message.readUInt32BE(at) * factor), at)
    return `${factor.toFixed(4)} at ${at - section(3)}`
  }),
  messageFault('other scanning mode', (message, section, random) => {
    const bit = random.pick([0x80, 0x40, 0x20])
    message[section(3) + nth(PLACES[templateOf(message, section(3))]!, 4)]! ^= bit
    return `bit ${bit}`
  }),
  messageFault('other earth', (message, section, random) => {
    const shape = random.pick([0, 2, 4, 5])
    message[section(3) + 14] = shape
    return `shape ${shape}`
  }),
  messageFault('other number of points', (message, section, random) => {
    const by = random.integer(1, 40)
    message.writeUInt32BE(message.readUInt32BE(section(3) + 30) + by, section(3) + 30)
    return `${by} more columns`
  }),
  messageFault('other template of the grid', (message, section, random) => {
    const template = random.pick([0, 10, 20, 30, 40].filter((n) => n !== templateOf(message, section(3))))
    message.writeUInt16BE(template, section(3) + 12)
    return `3.${template}`
  }),
  messageFault('other parameter', (message, section, random) => {
    const by = random.integer(30, 120)
    message[section(4) + 10] = (nth(message, section(4) + 10) + by) % 250
    return `number +${by}`
  }),
  messageFault('other category', (message, section, random) => {
    const by = random.integer(1, 60)
    message[section(4) + 9]! ^= by
    return `category ^${by}`
  }),
  messageFault('other discipline', (message, _section, random) => {
    const by = random.integer(1, 10)
    message[6]! ^= by
    return `discipline ^${by}`
  }),
  messageFault('other level', (message, section, random) => {
    const type = random.integer(104, 160)
    message[section(4) + 22] = type
    return `type ${type}`
  }),
  messageFault('clock of the run', (message, section, random) => {
    const hours = random.integer(1, 12)
    message[section(1) + 15] = (nth(message, section(1) + 15) + hours) % 24
    return `${hours} hours`
  }),
  messageFault('clock in the future', (message, section, random) => {
    const years = random.integer(1, 90)
    message.writeUInt16BE(message.readUInt16BE(section(1) + 12) + years, section(1) + 12)
    return `${years} years`
  }),
  messageFault('other lead', (message, section, random) => {
    const hours = random.integer(1, 9)
    message.writeUInt32BE(message.readUInt32BE(section(4) + 18) + hours, section(4) + 18)
    return `${hours} hours`
  }),
  messageFault('absurd scale', (message, section, random) => {
    const power = random.integer(21, 120)
    message.writeUInt16BE(power, section(5) + 15)
    return `2^${power}`
  }),
  messageFault('unknown packing', (message, section, random) => {
    const template = random.pick([1, 50, 51, 61, 200, 50001])
    message.writeUInt16BE(template, section(5) + 9)
    return `5.${template}`
  }),
  messageFault('cut within', (message, section, random) => {
    const from = Math.floor(random.between(section(5) + 12, message.length - 4))
    message.fill(0, from)
    return `zeros from ${from}`
  }),
  messageFault('no GRIB', (message, _section, random) => {
    const at = random.integer(0, 3)
    message[at] = 0x20
    return `octet ${at}`
  }),
  values('constant', VARYING, (random, { mean }) => {
    const value = mean * random.between(0.9, 1.1)
    return { detail: value.toFixed(2), valueAt: () => value }
  }),
  values('all missing', VARYING, () => ({ detail: '', valueAt: () => Number.NaN })),
  values('sentinel changed', ['K', 'Pa', 'm/s'], (random) => {
    const sentinel = random.pick([-9999, 9999, 1e20, -99999, 9.999e20])
    const share = random.between(0.05, 0.9)
    const step = Math.max(2, Math.round(1 / share))
    return { detail: `${sentinel} at every ${step}th`, valueAt: (value, k) => (k % step === 0 ? sentinel : value) }
  }),
  values('out of range', VARYING, (random) => {
    const by = random.pick([-1e6, 1e6]) * random.between(1, 4)
    return { detail: by.toFixed(0), valueAt: (value, k) => (k % 7 === 0 ? value + by : value) }
  }),
  scaled('°C in place of K', ['K'], 1, -273.15, ({ mean }) => mean > 150),
  scaled('°F in place of K', ['K'], 1.8, -459.67, ({ mean }) => mean > 150),
  scaled('knots in place of m/s', ['m/s'], 1.943844, 0, ({ mean }) => mean > 1),
  scaled('km/h in place of m/s', ['m/s'], 3.6, 0, ({ mean }) => mean > 1),
  scaled('mph in place of m/s', ['m/s'], 2.236936, 0, ({ mean }) => mean > 1),
  scaled('hPa in place of Pa', ['Pa'], 0.01),
  scaled('inches in place of Pa', ['Pa'], 1 / 3386.389),
  scaled('feet in place of m', ['m'], 3.28084, 0, ({ mean }) => mean > 1000),
  scaled('km in place of m', ['m'], 0.001, 0, ({ mean }) => mean > 1000),
  scaled('a fraction in place of percent', ['%'], 0.01, 0, ({ mean }) => mean > 20),
  values('ten times as much', ['K', 'Pa', 'm/s'], () => ({ detail: '', valueAt: (value) => value * 10 }), always),
  scaled('ten times as much water', ['mm'], 10, 0, ({ mean }) => mean > 0.1),
  scaled('a tenth of the water', ['mm'], 0.1, 0, ({ mean }) => mean > 0.4),
  scaled('inches in place of mm', ['mm'], 1 / 25.4, 0, ({ mean }) => mean > 0.4),
  scaled('metres in place of mm', ['mm'], 0.001, 0, ({ mean }) => mean > 0.4),
  values('other packing', ['K', 'Pa', 'm/s', '%', 'm'], () => ({ detail: '', valueAt: (value) => value })),
  {
    name: 'missing variable',
    single: true,
    make: ({ parts, message }) => ({
      harmed: bytesOf({
        messages: parts.messages.filter((_, k) => k !== message),
        lines: parts.lines.filter((_, k) => k !== message),
      }),
      detail: '',
    }),
  },
  {
    name: 'renamed in the index',
    single: true,
    make({ parts, message }, random) {
      const name = `X${random.integer(1, 999)}`
      const lines = parts.lines.map((line, k) =>
        k === message ? line.replace(/^((?:[^:]*:){3})[^:]+/, `$1${name}`) : line,
      )
      return { harmed: bytesOf({ ...parts, lines }), detail: name }
    },
  },
  {
    name: 'shuffled messages',
    single: false,
    make({ parts }, random) {
      const order = parts.messages.map((_, k) => ({ k, at: random.next() })).sort((a, b) => a.at - b.at)
      const shuffled = {
        messages: order.map(({ k }) => nth(parts.messages, k)),
        lines: order.map(({ k }) => nth(parts.lines, k)),
      }
      return { harmed: bytesOf(shuffled), detail: String(nth(order, 0).k) }
    },
  },
  {
    name: 'shuffled index',
    single: false,
    make({ parts }, random) {
      const fit = fitting(parts)
      const offsets = fit.map((line) => nth(/^\d+:(\d+)/.exec(line)!, 1))
      const turned = random.integer(1, offsets.length - 1)
      const index = fit.map((line, k) => line.replace(/^\d+:\d+/, `${k + 1}:${offsets[(k + turned) % offsets.length]}`))
      return { harmed: { ...bytesOf(parts), index: Buffer.from(`${index.join('\n')}\n`) }, detail: `by ${turned}` }
    },
  },
  {
    name: 'doubled messages',
    single: false,
    make({ parts, message }, random) {
      const many = random.integer(1, 4)
      const more = <T>(list: readonly T[]) =>
        list.flatMap((original, k) => (k >= message && k < message + many ? [original, original] : [original]))
      return { harmed: bytesOf({ messages: more(parts.messages), lines: more(parts.lines) }), detail: `${many}` }
    },
  },
  {
    name: 'doubled offsets',
    single: false,
    make({ parts }, random) {
      const factor = random.pick([2, 3, 0.5])
      const index = fitting(parts).map((line) =>
        line.replace(/^(\d+):(\d+)/, (_, n: string, at: string) => `${n}:${Math.floor(Number(at) * factor)}`),
      )
      return { harmed: { ...bytesOf(parts), index: Buffer.from(`${index.join('\n')}\n`) }, detail: `× ${factor}` }
    },
  },
  {
    name: 'offsets moved',
    single: false,
    make({ parts }, random) {
      const by = random.integer(1, 5000)
      const index = fitting(parts).map((line, k) =>
        line.replace(/^(\d+):(\d+)/, (_, n: string, at: string) => `${n}:${k === 0 ? 0 : Number(at) + by}`),
      )
      return { harmed: { ...bytesOf(parts), index: Buffer.from(`${index.join('\n')}\n`) }, detail: `by ${by}` }
    },
  },
  {
    name: 'an index that is none',
    single: false,
    make({ parts }, random) {
      const text = random.pick(['', '<html><body>Access denied</body></html>', '{"error":"no"}', '\0\0\0\0', 'a:b:c\n'])
      return { harmed: { ...bytesOf(parts), index: Buffer.from(text) }, detail: JSON.stringify(text) }
    },
  },
  {
    name: 'an index of another run',
    single: false,
    make({ parts }, random) {
      const day = `d=20${random.integer(10, 24)}010${random.integer(1, 9)}00`
      const index = fitting(parts).map((line) => line.replace(/d=\d{10}/, day))
      return { harmed: { ...bytesOf(parts), index: Buffer.from(`${index.join('\n')}\n`) }, detail: day }
    },
  },
  {
    name: 'a stale copy',
    single: false,
    make: ({ before }) => ({ harmed: bytesOf(before), detail: '' }),
  },
  {
    name: 'a stale copy under a right index',
    single: false,
    make: ({ parts, before }) => ({ harmed: { ...bytesOf(before), index: bytesOf(parts).index }, detail: '' }),
  },
  {
    name: 'another domain',
    single: false,
    make: ({ elsewhere }) => ({ harmed: bytesOf(elsewhere), detail: '' }),
  },
  {
    name: 'the end is missing',
    single: false,
    make({ parts }, random) {
      const { data, index } = bytesOf(parts)
      const share = random.between(0.02, 0.98)
      return { harmed: { data: data!.subarray(0, Math.floor(data!.length * share)), index }, detail: share.toFixed(3) }
    },
  },
  ...(['html', 'empty', 'redirect', 'nowhere', 'forbidden', 'listed-early', 'silent', 'stalled'] as const).map(
    (how): GribFault => ({ name: how, single: false, make: () => ({ harmed: { how }, detail: '' }) }),
  ),
]
