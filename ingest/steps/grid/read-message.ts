import { GribError, type Message, readMessages } from 'grib2-wasm'
import { Fault } from '../../domain/fault.ts'
import type { FieldMessage } from './sample-request.ts'

/** Reads the message of a variable. @throws Fault Corrupt */
export function messageOf({ bytes, field = 0 }: FieldMessage, name: string): Message {
  try {
    for (const message of readMessages(bytes)) {
      if (message.field !== field) continue
      // The message is decoded here, so that an error is attributed to the message.
      message.grid.toIndex(0, 0)
      message.packing
      return message
    }
  } catch (error) {
    throw corrupt(name, error)
  }
  throw new Fault('Corrupt', `${name}: the GRIB2 message has no field ${field}`)
}

/** @param names the two fields @throws Fault Corrupt */
export function requireSameGrid(names: string, { grid }: Message, other: Message): void {
  if (grid.key === other.grid.key) return
  throw new Fault('Corrupt', `${names} must be on the same grid, but are on ${grid.key} and ${other.grid.key}`)
}

/** Octet value of a number that a message does not state. */
const UNKNOWN = 255

/** Returns the number of members that a probability counts. @throws Fault Corrupt if the message does not state it */
export function memberCount({ product }: Message, name: string): number {
  const total = product.probability?.total ?? UNKNOWN
  if (total > 0 && total < UNKNOWN) return total
  throw new Fault('Corrupt', `${name}: the message must state how many members its probability counts, but does not`)
}

/** Names the variable in an error of the decoder. */
export function corrupt(name: string, error: unknown): unknown {
  if (!(error instanceof GribError)) return error
  return new Fault('Corrupt', `${name}: ${error.message}`, { variable: name }, error)
}
