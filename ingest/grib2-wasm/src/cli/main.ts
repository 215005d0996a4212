#!/usr/bin/env node
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { GribError } from '../fault.ts'
import type { Message } from '../message.ts'
import { readMessagesFrom } from '../messages.ts'
import type { MessageFault } from '../walk.ts'
import { csvHeader, csvRows, shortest } from './csv.ts'
import { type FileSource, memorySource, openFile } from './file.ts'
import { listHeader, listRow, numberOf } from './list.ts'
import { type CliOptions, optionsOf, UsageError, usage } from './options.ts'
import { picture } from './picture.ts'
import { ZarrGroup } from './zarr.ts'

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** A plain file is read message by message; standard input and gzip are read into memory. */
async function inputOf(file: string): Promise<FileSource> {
  if (file === '-') {
    const raw = readFileSync(0)
    return memorySource(isGzip(raw) ? gunzipSync(raw) : raw)
  }
  const source = await openFile(file)
  if (source.size < 2 || !isGzip(await source.read(0, 2))) return source
  await source.close()
  return memorySource(gunzipSync(readFileSync(file)))
}

/** Waits until the stream accepts more; false once its reader has closed it, as in `| head`. */
async function write(to: Writable, text: string): Promise<boolean> {
  if (to.destroyed) return false
  if (to.write(text)) return true
  await new Promise<void>((resolve) => {
    const done = () => {
      to.off('drain', done).off('close', done)
      resolve()
    }
    to.on('drain', done).on('close', done)
  })
  return !to.destroyed
}

/** Returns the value at the nearest grid point, or why there is none. */
function valueAt({ grid }: Message, values: Float32Array, lat: number, lon: number): string {
  const [x, y] = grid.toIndex(lat, lon)
  const j = Math.round(y)
  const column = Math.round(x) === grid.nx ? 0 : Math.round(x)
  if (!(column >= 0 && column < grid.nx && j >= 0 && j < grid.ny)) return 'outside the grid'
  const value = values[j * grid.nx + column]!
  const [atLat, atLon] = grid.toLatLon(column, j).map((degrees) => degrees.toFixed(4))
  return `${Number.isNaN(value) ? 'missing' : shortest(value)} at ${atLat},${atLon}`
}

function numbered(path: string, count: number): string {
  if (count === 0) return path
  const dot = path.lastIndexOf('.')
  const cut = dot > path.lastIndexOf('/') ? dot : path.length
  return `${path.slice(0, cut)}-${count + 1}${path.slice(cut)}`
}

interface Outputs {
  readonly csv: Writable | undefined
  readonly zarr: ZarrGroup | undefined
  readonly png: string | undefined
  /** Number of pictures written so far. */
  pictures: number
}

/** Handles one field; false once the reader has closed the output. */
async function handle(message: Message, options: CliOptions, outputs: Outputs): Promise<boolean> {
  const { csv, zarr, png } = outputs
  if (options.points.length === 0 && !csv && !zarr && !png) return write(process.stdout, `${listRow(message)}\n`)
  // The next field would overwrite the view of the module's memory, and the outputs below may wait.
  const values = message.values()
  for (const [lat, lon] of options.points) {
    const words = [numberOf(message), message.product.name, message.product.level?.name, message.product.interval]
    const text = `${words.join(' ')}: ${valueAt(message, values, lat, lon)} (${message.product.unit})\n`
    if (!(await write(process.stdout, text))) return false
  }
  if (zarr) await write(process.stdout, `${options.zarr}/${zarr.add(message, values)}\n`)
  if (png) {
    const path = numbered(png, outputs.pictures++)
    writeFileSync(path, picture(message))
    await write(process.stdout, `${path}\n`)
  }
  if (csv) for (const rows of csvRows(message, values)) if (!(await write(csv, rows))) return false
  return true
}

async function run(options: CliOptions): Promise<number> {
  const source = await inputOf(options.file)
  try {
    return await handleFields(source, options)
  } finally {
    await source.close()
  }
}

async function handleFields(source: FileSource, options: CliOptions): Promise<number> {
  const { file, numbers, name } = options
  const csv = options.csv === '-' ? process.stdout : options.csv ? createWriteStream(options.csv) : undefined
  const zarr = options.zarr ? new ZarrGroup(options.zarr) : undefined
  const outputs: Outputs = { csv, zarr, png: options.png, pictures: 0 }
  let status = 0
  let handled = 0
  const report = (number: string, { message }: GribError) => {
    console.error(`grib2-wasm: ${file}: field ${number}: ${message}`)
    status = 1
  }
  if (csv) await write(csv, csvHeader)
  const lists = options.points.length === 0 && !csv && !zarr && !options.png
  const onFault = (fault: MessageFault) => report(numberOf(fault), fault.error)
  reading: for await (const { fields } of readMessagesFrom(source, { onFault })) {
    for (const message of fields) {
      if (numbers.size > 0 && !numbers.has(numberOf(message))) continue
      try {
        if (name !== undefined && message.product.name !== name) continue
        if (handled++ === 0 && lists) await write(process.stdout, `${listHeader}\n`)
        if (!(await handle(message, options, outputs))) break reading
      } catch (error) {
        // An unreadable field does not prevent the following fields from being read.
        if (!(error instanceof GribError)) throw error
        report(numberOf(message), error)
      }
    }
  }
  if (csv && csv !== process.stdout) await new Promise<void>((resolve) => csv.end(() => resolve()))
  if (handled === 0 && status === 0) {
    console.error(
      `grib2-wasm: ${file}: the file has no field with that number or name. Run without options to list all fields.`,
    )
    status = 1
  }
  return status
}

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help')) {
    process.stdout.write(usage)
    return args.length === 0 ? 2 : 0
  }
  process.stdout.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
  })
  let options: CliOptions | undefined
  try {
    options = optionsOf(args)
    return await run(options)
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`grib2-wasm: ${error.message}. See grib2-wasm --help.`)
      return 2
    }
    if (!(error instanceof GribError) && (error as { code?: string }).code === undefined) throw error
    console.error(`grib2-wasm: ${options?.file}: ${(error as Error).message}`)
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2))
