import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { GribError, type Message, readMessages } from 'grib2-wasm'
import { header, row } from './grib-list.ts'
import { picture } from './grib-picture.ts'

interface Wish {
  readonly file: string
  readonly indexes: readonly number[]
  readonly list: boolean
  readonly png: string | undefined
}

/** What the words ask for, or a sentence that says what is wrong with them. */
function wishOf(args: readonly string[]): Wish | string {
  let file: string | undefined
  let indexes: number[] = []
  let list = false
  let png: string | undefined
  for (let k = 0; k < args.length; k++) {
    const [word, joined] = args[k].startsWith('--') ? args[k].split(/=(.*)/s, 2) : [args[k], undefined]
    if (word === '--list') list = true
    else if (word === '--index' || word === '--png') {
      const value = joined ?? args[++k]
      if (!value) return `${word} wants ${word === '--png' ? 'a file name' : 'indexes like 0,17,1000'}, got nothing`
      if (word === '--png') png = value
      else {
        const words = value.split(',').map((part) => part.trim())
        const wrong = words.find((part) => !/^\d+$/.test(part))
        if (wrong !== undefined) return `--index wants whole numbers from 0 with commas between, got "${wrong}"`
        indexes = [...indexes, ...words.map(Number)]
      }
    } else if (word.startsWith('--')) return `no option ${word}; there are --index, --list and --png`
    else if (file !== undefined) return `one FILE, got "${file}" and "${word}"`
    else file = word
  }
  return file === undefined ? 'a FILE is wanted, got none' : { file, indexes, list, png }
}

interface Input {
  readonly octets: Uint8Array
  /** Why there are no more of them. */
  readonly fault: Error | undefined
}

/** All that a gzip stream gives, also if it breaks off. */
function gunzipped(raw: Uint8Array): Promise<Input> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = []
    const stream = createGunzip()
    const end = (fault?: Error) => resolve({ octets: Buffer.concat(parts), fault })
    stream.on('data', (part) => parts.push(part))
    stream.on('end', () => end())
    stream.on('error', ({ message }) => end(new GribError('corrupt', 0, 1, 'a whole gzip stream', message)))
    stream.end(raw)
  })
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'nothing of that name',
  EISDIR: 'a directory',
  EACCES: 'one that this user may not read',
}

async function inputOf(file: string): Promise<Input> {
  const raw =
    file === '-'
      ? await buffer(process.stdin)
      : await readFile(file).catch((cause: NodeJS.ErrnoException) => {
          throw Object.assign(new Error(`wanted a file, got ${UNREADABLE[cause.code ?? ''] ?? cause.message}`), {
            code: cause.code,
          })
        })
  return raw[0] === 0x1f && raw[1] === 0x8b ? gunzipped(raw) : { octets: raw, fault: undefined }
}

/** The shortest decimal that is this 32-bit float. */
function short(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.fround(rounded) === value) return rounded
  }
  return value
}

function report(message: Message, indexes: readonly number[]) {
  const { product, grid, packing, points } = message
  const values = message.decode()
  let missing = 0
  let sum = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let k = 0; k < values.length; k++) {
    const value = values[k]
    if (Number.isNaN(value)) {
      missing++
      continue
    }
    sum += value
    if (value < min) min = value
    if (value > max) max = value
  }
  const some = missing < points
  return {
    discipline: product.discipline,
    category: product.category,
    number: product.number,
    reference_time: product.referenceTime.toISOString().replace('.000Z', 'Z'),
    grid: { template: grid.template, nx: grid.nx, ny: grid.ny, scan: grid.scan },
    product_template: product.template,
    packing: { template: packing.template, bits: packing.bits },
    points,
    missing,
    min: some ? short(min) : null,
    max: some ? short(max) : null,
    mean: some ? sum / (points - missing) : null,
    values: indexes.map((index) => (index < points && !Number.isNaN(values[index]) ? short(values[index]) : null)),
  }
}

function numbered(path: string, field: number): string {
  if (field === 0) return path
  const dot = path.lastIndexOf('.')
  const cut = dot > path.lastIndexOf('/') ? dot : path.length
  return `${path.slice(0, cut)}-${field + 1}${path.slice(cut)}`
}

/** False once nobody reads any more, as behind `| head`. */
let heard = true

async function say(line: string): Promise<void> {
  if (heard && !process.stdout.write(`${line}\n`))
    await new Promise((resolve) => process.stdout.once('drain', resolve).once('close', resolve))
}

async function tell(octets: Uint8Array, { indexes, list, png }: Wish): Promise<void> {
  if (list) await say(header)
  let field = 0
  for (const message of readMessages(octets)) {
    if (!heard) return
    if (list) await say(row(message))
    else if (!png) await say(JSON.stringify(report(message, indexes)))
    if (png) {
      const path = numbered(png, field)
      await writeFile(path, picture(message))
      if (!list) await say(path)
    }
    field++
  }
}

export async function runGrib(args: readonly string[]): Promise<number> {
  const wish = wishOf(args)
  if (typeof wish === 'string') {
    console.error(`hexcast grib: ${wish}. See npx hexcast grib --help.`)
    return 2
  }
  process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause
    heard = false
  })
  let fault: Error | undefined
  try {
    const input = await inputOf(wish.file)
    fault = input.fault
    await tell(input.octets, wish)
    if (fault) throw fault
    return 0
  } catch (cause) {
    if (!(cause instanceof GribError) && (cause as NodeJS.ErrnoException).code === undefined) throw cause
    // Octets that a broken stream did not give are missing to the message, too: the stream is what to look at.
    const { message } = fault ?? (cause as Error)
    console.error(`hexcast grib: ${wish.file}: ${message}`)
    return 1
  }
}
