import { type FieldReport, reportsOf } from './grib-report.ts'

export interface GribWork {
  readonly bytes: Uint8Array
  readonly indexes: readonly number[]
}

/** Entry point of a thread, which reports every field of a message. */
export default function report({ bytes, indexes }: GribWork): FieldReport[] {
  return reportsOf(bytes, indexes)
}
