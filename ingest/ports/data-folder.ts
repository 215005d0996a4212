import { mkdir } from 'node:fs/promises'
import { Fault } from '../domain/fault.ts'

/**
 * Creates DATA_DIR if it is absent.
 * @throws Fault `Invalid` if the folder cannot be created
 */
export async function makeDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw notWritable(folder, error)
  })
}

export function notWritable(folder: string, error: unknown): Fault {
  const why = error instanceof Error ? error.message : String(error)
  return new Fault(
    'Invalid',
    `DATA_DIR ${folder}: must be a writable folder, but ${why}. Change its permissions, or set another folder.`,
    {},
    error,
  )
}
