import type { MessageSection } from '../octets.ts'
import { surfaceOf } from './names.ts'

/** A fixed surface: code table 4.5 and its value in the table's unit (metres, pascals, …), `null` where it has none. */
export interface Surface {
  readonly type: number
  readonly value: number | null
}

export interface Level {
  readonly first: Surface
  /** `undefined` where there is one surface only. */
  readonly second: Surface | undefined
  /** The level as wgrib2 writes it: `2 m above ground`, `500 mb`, `0-3000 m above ground`, `surface`. */
  readonly name: string
}

function surface(section: MessageSection, octet: number): Surface {
  return { type: section.u1(octet), value: section.scaled(octet + 1, octet + 2) }
}

/** Six digits, small and large numbers with an exponent of two digits: `-2e-06`, as printf's %g and so wgrib2 writes them. */
export function plain(value: number): string {
  if (value === 0) return '0'
  const [digits = 0, exponent = 0] = value.toExponential(5).split('e').map(Number)
  if (exponent >= -4 && exponent < 6) return String(Number(value.toPrecision(6)))
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Pascals, written as millibars. */
function shown(value: number | null, unit: string): string {
  if (value === null) return '?'
  return plain(unit === 'mb' ? value / 100 : value)
}

function levelName(first: Surface, second: Surface | undefined): string {
  const kind = surfaceOf(first.type)
  const single = kind.one.replace('%', shown(first.value, kind.unit))
  if (!second) return single
  const other = surfaceOf(second.type)
  const two = other.one.replace('%', shown(second.value, other.unit))
  if (second.type === first.type && kind.layer !== '') {
    return kind.layer.replace('%', `${shown(first.value, kind.unit)}-${shown(second.value, kind.unit)}`)
  }
  return single === two ? single : `${single} - ${two}`
}

/** Twelve octets of section 4, in 4.0 from octet 23. */
export function readLevel(section: MessageSection, octet: number): Level {
  const first = surface(section, octet)
  const type = section.u1(octet + 6)
  const second = type === 255 || type === 0 ? undefined : surface(section, octet + 6)
  return { first, second, name: levelName(first, second) }
}
