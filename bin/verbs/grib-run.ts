import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { GribError, readMessages } from 'grib2-wasm'
import { listHeader, listRow, picture } from 'grib2-wasm/cli'
import { Fault } from '../../ingest/domain/fault.ts'
import type { CommandLine } from '../verb.ts'
import { faultOf } from './grib-report.ts'
import { reportsInOrder } from './grib-threads.ts'

interface GribCommand {
  readonly file: string
  readonly indexes: readonly number[]
  readonly list: boolean
  readonly png: string | undefined
}

/** @throws Fault Invalid */
function commandOf({ positionals, option, options, flag }: CommandLine): GribCommand {
  const [file] = positionals
  if (file === undefined) throw new Fault('Invalid', 'FILE is missing; expected a GRIB2 file, or - for standard input')
  const words = options('index').flatMap((value) => value.split(',').map((part) => part.trim()))
  const invalid = words.find((part) => !/^\d+$/.test(part))
  if (invalid !== undefined)
    throw new Fault('Invalid', `--index "${invalid}" is not valid; expected whole numbers from 0, separated by commas`)
  return { file, indexes: words.map(Number), list: flag('list'), png: option('png') }
}

interface GribInput {
  readonly bytes: Uint8Array
  /** Why the file has no more messages. */
  readonly fault: Error | undefined
}

/** Decodes a gzip stream, as far as possible if it is truncated. */
function gunzipped(raw: Uint8Array): Promise<GribInput> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = []
    const stream = createGunzip()
    const end = (fault?: Error) => resolve({ bytes: Buffer.concat(parts), fault })
    stream.on('data', (part) => parts.push(part))
    stream.on('end', () => end())
    stream.on('error', ({ message }) => end(new GribError('corrupt', 0, 1, 'a whole gzip stream', message)))
    stream.end(raw)
  })
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
}

async function inputOf(file: string): Promise<GribInput> {
  const raw =
    file === '-'
      ? await buffer(process.stdin)
      : await readFile(file).catch((cause: NodeJS.ErrnoException) => {
          const reason = READ_ERRORS[cause.code ?? ''] ?? cause.message
          throw Object.assign(new Error(`the file cannot be read: ${reason}`), { code: cause.code })
        })
  return raw[0] === 0x1f && raw[1] === 0x8b ? gunzipped(raw) : { bytes: raw, fault: undefined }
}

function numbered(path: string, field: number): string {
  if (field === 0) return path
  const dot = path.lastIndexOf('.')
  const cut = dot > path.lastIndexOf('/') ? dot : path.length
  return `${path.slice(0, cut)}-${field + 1}${path.slice(cut)}`
}

/** Whether the reader of stdout has closed it, as `| head` does. */
let stdoutClosed = false

async function print(line: string): Promise<void> {
  if (!stdoutClosed && !process.stdout.write(`${line}\n`))
    await new Promise((resolve) => process.stdout.once('drain', resolve).once('close', resolve))
}

/** Prints the list or draws pictures. Faults of single fields go to `onFault`. */
async function printFields(
  bytes: Uint8Array,
  { list, png }: GribCommand,
  onFault: (text: string) => void,
): Promise<void> {
  if (list) await print(listHeader)
  let field = 0
  for (const message of readMessages(bytes)) {
    if (stdoutClosed) return
    if (list) await print(listRow(message))
    if (png) {
      const path = numbered(png, field)
      try {
        await writeFile(path, picture(message))
        if (!list) await print(path)
      } catch (error) {
        if (!(error instanceof GribError)) throw error
        onFault(faultOf(message, error.message))
      }
    }
    field++
  }
}

/** Prints a JSON line for each field. Several threads decode the messages, which are printed in their order. */
async function printReports(
  bytes: Uint8Array,
  { indexes }: GribCommand,
  onFault: (text: string) => void,
): Promise<void> {
  for await (const { message, report } of reportsInOrder(bytes, indexes)) {
    if (stdoutClosed) return
    if ('line' in report) await print(report.line)
    else onFault(faultOf(message, report.fault))
  }
}

export async function runGrib(line: CommandLine): Promise<number> {
  const command = commandOf(line)
  process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause
    stdoutClosed = true
  })
  let fault: Error | undefined
  try {
    const input = await inputOf(command.file)
    fault = input.fault
    let status = 0
    const onFault = (text: string) => {
      console.error(`hexcast grib: ${command.file}: ${text}`)
      status = 1
    }
    if (command.list || command.png) await printFields(input.bytes, command, onFault)
    else await printReports(input.bytes, command, onFault)
    if (fault) throw fault
    return status
  } catch (cause) {
    if (!(cause instanceof GribError) && (cause as NodeJS.ErrnoException).code === undefined) throw cause
    // A truncated gzip stream also truncates the last message, but the fault of the stream is the cause.
    const { message } = fault ?? (cause as Error)
    console.error(`hexcast grib: ${command.file}: ${message}`)
    return 1
  }
}
