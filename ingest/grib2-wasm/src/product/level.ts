import type { Section } from '../octets.ts'
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
  /** As wgrib2 says it: `2 m above ground`, `500 mb`, `0-3000 m above ground`, `surface`. */
  readonly name: string
}

function surface(section: Section, octet: number): Surface {
  return { type: section.u1(octet), value: section.scaled(octet + 1, octet + 2) }
}

function plain(value: number): string {
  return String(Number(value.toPrecision(9)))
}

/** Pascals as the field says them: millibars. */
function shown(value: number | null, unit: string): string {
  if (value === null) return '?'
  return plain(unit === 'mb' ? value / 100 : value)
}

function levelName(first: Surface, second: Surface | undefined): string {
  const kind = surfaceOf(first.type)
  const one = kind.one.replace('%', shown(first.value, kind.unit))
  if (!second) return one
  const other = surfaceOf(second.type)
  if (second.type !== first.type) return `${one} - ${other.one.replace('%', shown(second.value, other.unit))}`
  return kind.layer.replace('%', `${shown(first.value, kind.unit)}-${shown(second.value, kind.unit)}`) || kind.one
}

/** Octets 23–34 of section 4. */
export function readLevel(section: Section): Level {
  const first = surface(section, 23)
  const type = section.u1(29)
  const second = type === 255 || type === 0 ? undefined : surface(section, 29)
  return { first, second, name: levelName(first, second) }
}
