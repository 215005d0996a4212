import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { GribError, type Message, readMessagesFrom, type WholeMessage } from 'grib2-wasm'
import { type FileSource, listHeader, listRow, memorySource, openFile, picture } from 'grib2-wasm/cli'
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
  readonly source: FileSource
  /** Why the file cannot be read beyond its last message. */
  readonly fault: Error | undefined
}

/** Decompresses a gzip stream; if it is truncated, as far as possible. */
function gunzipped(raw: Readable): Promise<GribInput> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = []
    const stream = createGunzip()
    const end = (fault?: Error) => resolve({ source: memorySource(Buffer.concat(parts)), fault })
    stream.on('data', (part) => parts.push(part))
    stream.on('end', () => end())
    stream.on('error', ({ message }) => end(new GribError('corrupt', 0, 1, 'a whole gzip stream', message)))
    raw.on('error', (error) => end(error)).pipe(stream)
  })
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** A plain file is read message by message, whatever its size; standard input and gzip are read into memory. */
async function inputOf(file: string): Promise<GribInput> {
  if (file === '-') {
    const raw = await buffer(process.stdin)
    return isGzip(raw) ? gunzipped(Readable.from([raw])) : { source: memorySource(raw), fault: undefined }
  }
  const source = await openFile(file).catch((cause: NodeJS.ErrnoException) => {
    const reason = READ_ERRORS[cause.code ?? ''] ?? cause.message
    throw Object.assign(new Error(`the file cannot be read: ${reason}`), { code: cause.code })
  })
  if (source.size < 2 || !isGzip(await source.read(0, 2))) return { source, fault: undefined }
  await source.close()
  return gunzipped(createReadStream(file))
}

function numbered(path: string, field: number): string {
  if (field === 0) return path
  const dot = path.lastIndexOf('.')
  const cut = dot > path.lastIndexOf('/') ? dot : path.length
  return `${path.slice(0, cut)}-${field + 1}${path.slice(cut)}`
}

/** Whether the reader of stdout has closed the pipe, as `| head` does. */
let stdoutClosed = false

async function print(line: string): Promise<void> {
  if (!stdoutClosed && !process.stdout.write(`${line}\n`))
    await new Promise((resolve) => process.stdout.once('drain', resolve).once('close', resolve))
}

type OnFault = (text: string) => void

/** Prints the list or draws pictures. Faults of single fields go to `onFault`. */
async function printFields(
  messages: AsyncIterable<WholeMessage>,
  command: GribCommand,
  onFault: OnFault,
): Promise<void> {
  if (command.list) await print(listHeader)
  let pictures = 0
  for await (const { fields } of messages) {
    for (const message of fields) {
      if (stdoutClosed) return
      try {
        await printField(message, command, pictures)
      } catch (error) {
        if (!(error instanceof GribError)) throw error
        onFault(faultOf(message, error.message))
      }
      pictures++
    }
  }
}

async function printField(message: Message, { list, png }: GribCommand, number: number): Promise<void> {
  if (list) await print(listRow(message))
  if (!png) return
  const path = numbered(png, number)
  await writeFile(path, picture(message))
  if (!list) await print(path)
}

/**
 * Prints a JSON line for each field. Several threads decode the messages; the lines are printed in the order of the
 * messages.
 */
async function printReports(
  messages: AsyncIterable<WholeMessage>,
  size: number,
  { indexes }: GribCommand,
  onFault: OnFault,
): Promise<void> {
  for await (const { message, report } of reportsInOrder(messages, size, indexes)) {
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
  let input: GribInput | undefined
  try {
    input = await inputOf(command.file)
    const { source, fault } = input
    let status = 0
    const onFault: OnFault = (text) => {
      console.error(`hexcast grib: ${command.file}: ${text}`)
      status = 1
    }
    const messages = readMessagesFrom(source, {
      onFault(place) {
        // A truncated gzip stream also truncates the last message, but only the fault of the stream is reported because
        // it is the cause.
        if (!fault || place.error.kind !== 'truncated') onFault(faultOf(place, place.error.message))
      },
    })
    if (command.list || command.png) await printFields(messages, command, onFault)
    else await printReports(messages, source.size, command, onFault)
    if (fault) throw fault
    return status
  } catch (cause) {
    if (!(cause instanceof GribError) && (cause as NodeJS.ErrnoException).code === undefined) throw cause
    const { message } = input?.fault ?? (cause as Error)
    console.error(`hexcast grib: ${command.file}: ${message}`)
    return 1
  } finally {
    await input?.source.close()
  }
}
