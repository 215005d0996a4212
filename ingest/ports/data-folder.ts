import { mkdir } from 'node:fs/promises'
import { Fault } from '../domain/fault.ts'

/** Makes DATA_DIR where it is not there yet. @throws Fault Invalid where it cannot be made */
export async function makeDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw notWritable(folder, error)
  })
}

export function notWritable(folder: string, error: unknown): Fault {
  const why = error instanceof Error ? error.message : String(error)
  return new Fault('Invalid', `DATA_DIR ${folder}: wanted a folder that can be written, got ${why}`, {}, error)
}
