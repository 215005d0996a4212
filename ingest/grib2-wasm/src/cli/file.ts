import { type FileHandle, open } from 'node:fs/promises'
import type { OctetSource } from '../messages.ts'

/** A file as a source of octets, of any size. */
export interface FileSource extends OctetSource {
  close(): Promise<void>
}

/** @throws the error of the file system if the file cannot be opened, or is a directory (EISDIR) */
export async function openFile(path: string): Promise<FileSource> {
  const handle = await open(path)
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' })
    return {
      size: stats.size,
      read: (offset, length) => readFully(handle, offset, length),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function readFully(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

/** Octets in memory as a source. */
export function memorySource(bytes: Uint8Array): FileSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => {},
  }
}
