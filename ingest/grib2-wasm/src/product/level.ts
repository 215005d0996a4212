import type { MessageSection } from '../octets.ts'
import { surfaceOf } from './names.ts'

/** A fixed surface: its type (code table 4.5) and its value in the table's unit (metres, pascals, …), `null` if it has none. */
export interface Surface {
  readonly type: number
  readonly value: number | null
}

export interface Level {
  readonly first: Surface
  /** The second surface; `undefined` if there is only one. */
  readonly second: Surface | undefined
  /** The level as wgrib2 writes it: `2 m above ground`, `500 mb`, `0-3000 m above ground`, `surface`. */
  readonly name: string
}

function surface(section: MessageSection, octet: number): Surface {
  return { type: section.u1(octet), value: section.scaled(octet + 1, octet + 2) }
}

/** Formats six significant digits, and small and large numbers with a two-digit exponent such as `-2e-06`, like printf's %g and wgrib2. */
export function plain(value: number): string {
  if (value === 0) return '0'
  const [digits = 0, exponent = 0] = value.toExponential(5).split('e').map(Number)
  if (exponent >= -4 && exponent < 6) return String(Number(value.toPrecision(6)))
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Formats pascals as millibars. */
function shown(value: number | null, unit: string): string {
  if (value === null) return '?'
  return plain(unit === 'mb' ? value / 100 : value)
}

function levelName(first: Surface, second: Surface | undefined): string {
  const kind = surfaceOf(first.type)
  const single = kind.surface.replace('%', shown(first.value, kind.unit))
  if (!second) return single
  const other = surfaceOf(second.type)
  const two = other.surface.replace('%', shown(second.value, other.unit))
  if (second.type === first.type && kind.layer !== '') {
    return kind.layer.replace('%', `${shown(first.value, kind.unit)}-${shown(second.value, kind.unit)}`)
  }
  return single === two ? single : `${single} - ${two}`
}

/** Reads the twelve octets of section 4 that describe the level; in 4.0 they begin at octet 23. */
export function readLevel(section: MessageSection, octet: number): Level {
  const first = surface(section, octet)
  const type = section.u1(octet + 6)
  const second = type === 255 || type === 0 ? undefined : surface(section, octet + 6)
  return { first, second, name: levelName(first, second) }
}
