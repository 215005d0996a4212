/**
 * Kind of a fault. corrupt: the octets contradict the standard or each other. truncated: they end too early. unsupported: they are valid,
 * but this reader does not support them. range: the caller requested something that the grid, its buffer or a limit does not allow.
 */
export type GribFaultKind = 'corrupt' | 'truncated' | 'unsupported' | 'range'

/** The error of every failure to read. Octets count from 1 within their section, as in WMO's tables. */
export class GribError extends Error {
  readonly kind: GribFaultKind
  /** Section number, 0 to 8. */
  readonly section: number
  readonly octet: number
  readonly expected: string
  readonly actual: string

  constructor(kind: GribFaultKind, section: number, octet: number, expected: string, actual: string) {
    super(`GRIB2 section ${section}, octet ${octet}: expected ${expected}, but found ${actual}`)
    this.name = 'GribError'
    this.kind = kind
    this.section = section
    this.octet = octet
    this.expected = expected
    this.actual = actual
  }
}
