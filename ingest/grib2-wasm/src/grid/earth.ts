import { GribError } from '../fault.ts'
import type { MessageSection } from '../octets.ts'

/** Semi-axes in metres; `major === minor` is a sphere, NaN if the message has no valid one. */
export interface Earth {
  /** Code table 3.2. */
  readonly shape: number
  readonly major: number
  readonly minor: number
}

/** Shapes of code table 3.2 that have no further numbers. */
const FIXED: Readonly<Record<number, readonly [major: number, minor: number]>> = {
  0: [6367470, 6367470],
  2: [6378160, 6356775],
  4: [6378137, 6356752.314],
  5: [6378137, 6356752.314245],
  6: [6371229, 6371229],
  8: [6371200, 6371200],
  9: [6377563.396, 6356256.909],
}

/**
 * Reads octets 15–30 of section 3, which are the same in every template.
 * @throws GribError if they do not describe an earth; see `tryEarth`
 */
export function readEarth(section: MessageSection): Earth {
  const shape = section.u1(15)
  const fixed = FIXED[shape]
  if (fixed) return { shape, major: fixed[0], minor: fixed[1] }
  if (shape === 1) {
    const radius = section.scaled(16, 17)
    if (!radius || radius < 1e6 || radius > 1e7) section.fail(17, 'a radius of the earth in metres', `${radius}`)
    return { shape, major: radius, minor: radius }
  }
  if (shape === 3 || shape === 7) {
    const unit = shape === 3 ? 1000 : 1
    const major = (section.scaled(21, 22) ?? 0) * unit
    const minor = (section.scaled(26, 27) ?? 0) * unit
    if (major < 1e6 || major > 1e7)
      section.fail(22, `a major axis of the earth in ${shape === 3 ? 'km' : 'm'}`, major / unit)
    if (minor < 1e6 || minor > major) section.fail(27, `a minor axis no longer than the major one`, minor / unit)
    return { shape, major, minor }
  }
  return section.fail(15, 'a shape of the earth from code table 3.2 (0 to 9)', shape, 'unsupported')
}

/** Returns the same earth, or an earth without axes and the reason. Values, and positions that need no axes, then remain available. */
export function tryEarth(section: MessageSection): { readonly earth: Earth; readonly fault: GribError | undefined } {
  try {
    return { earth: readEarth(section), fault: undefined }
  } catch (cause) {
    if (!(cause instanceof GribError) || cause.kind === 'truncated') throw cause
    return { earth: { shape: section.u1(15), major: Number.NaN, minor: Number.NaN }, fault: cause }
  }
}

export const RADIANS = Math.PI / 180

/** Normalizes degrees to [−180, 180). */
export function wrap(degrees: number): number {
  const turned = (degrees + 180) % 360
  return turned < 0 ? turned + 180 : turned - 180
}

/** Returns the first eccentricity. */
export function eccentricity({ major, minor }: Earth): number {
  return major === minor ? 0 : Math.sqrt(1 - (minor / major) ** 2)
}

/** Snyder 15-9: the isometric latitude's exponential, tan(π/4 − φ/2) / [(1 − e sin φ)/(1 + e sin φ)]^(e/2). */
export function isometric(phi: number, e: number): number {
  const t = Math.tan(Math.PI / 4 - phi / 2)
  if (e === 0) return t
  const s = e * Math.sin(phi)
  return t / ((1 - s) / (1 + s)) ** (e / 2)
}

/** The latitude (radians) of an isometric t: Snyder 7-9, repeated until it converges. */
export function latitudeOf(t: number, e: number): number {
  let phi = Math.PI / 2 - 2 * Math.atan(t)
  if (e === 0) return phi
  for (let k = 0; k < 12; k++) {
    const s = e * Math.sin(phi)
    const better = Math.PI / 2 - 2 * Math.atan(t * ((1 - s) / (1 + s)) ** (e / 2))
    if (Math.abs(better - phi) < 1e-14) return better
    phi = better
  }
  return phi
}

/** Snyder 14-15: cos φ / √(1 − e² sin² φ), the radius of a parallel in units of the major axis. */
export function parallel(phi: number, e: number): number {
  return Math.cos(phi) / Math.sqrt(1 - (e * Math.sin(phi)) ** 2)
}
