import { compact, type MutableObject, type Template } from './members.ts'
import type { TextTemplate } from './template.ts'
import { MAX_TEMPLATE_BYTES, type WriterMemory } from './writer-memory.ts'

/** The output of an answer, written member after member: as bytes of JSON or as an object. */
export interface Page<Output = unknown> {
  /** The memory in which its templates are compiled. */
  readonly memory: WriterMemory
  /**
   * Appends the members of a template. If the template `opens` an object, later members are appended to that object.
   */
  put(template: Template): void
  /** Appends a member to the open object: any JSON value; undefined is left out. */
  value(name: string, value: unknown): void
  /**
   * Appends a text that contains nothing that JSON escapes: a sentence. An answer has twenty sentences, and escaping
   * one takes longer than creating it.
   */
  sentence(name: string, text: string | undefined): void
  /** Begins a list as a member of the open object. Its items are templates that open an object. */
  openList(name: string): void
  closeList(): void
  closeObject(): void
  /** Ends the page and returns its output. The page accepts nothing more. */
  end(): Output
}

/**
 * Opens a page of bytes.
 * @returns a page whose output is JSON in UTF-8; the bytes are valid until another page is written
 */
export function openBytePage(memory: WriterMemory): Page<Buffer> {
  return new BytePage(memory)
}

/** Opens a page of objects. @returns a page whose output equals the parsed bytes of the same members */
export function openObjectPage(memory: WriterMemory): Page<MutableObject> {
  return new ObjectPage(memory)
}

const BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d

export class BytePage implements Page<Buffer> {
  readonly memory: WriterMemory
  #at: number
  /** The byte that replaces the comma of the first member or item, since each begins with a comma; 0 for all others. */
  #opening = BRACE
  /** Bytes that were copied out of the output buffer, because it was full or another page needed it. */
  readonly #copied: Buffer[] = []
  #ended = false

  constructor(memory: WriterMemory) {
    this.memory = memory
    this.#at = memory.output
  }

  put(template: Pick<TextTemplate, 'write'>): void {
    this.#activate()
    const start = this.#at
    this.#at = template.write(start)
    if (this.#opening && this.#at > start) {
      this.memory.bytes[start] = this.#opening
      this.#opening = 0
    }
  }

  value(name: string, value: unknown): void {
    const text = JSON.stringify(value)
    if (text !== undefined) this.#text(`,"${name}":${text}`)
  }

  sentence(name: string, text: string | undefined): void {
    if (text !== undefined) this.#text(`,"${name}":"${text}"`)
  }

  openList(name: string): void {
    this.#text(`,"${name}":`)
    this.#opening = BRACKET
  }

  closeList(): void {
    this.#close(BRACKET, CLOSING_BRACKET)
  }

  closeObject(): void {
    this.#close(BRACE, CLOSING_BRACE)
  }

  end(): Buffer {
    this.closeObject()
    this.#ended = true
    this.memory.owner = undefined
    const { output, bytes } = this.memory
    const written = bytes.subarray(output, this.#at)
    return this.#copied.length === 0 ? written : Buffer.concat([...this.#copied, written])
  }

  #close(opening: number, closing: number): void {
    this.#activate()
    const { bytes } = this.memory
    if (this.#opening) bytes[this.#at++] = opening
    bytes[this.#at++] = closing
    this.#opening = 0
  }

  #text(member: string): void {
    this.#activate()
    const text = this.#opening ? String.fromCharCode(this.#opening) + member.slice(1) : member
    this.#opening = 0
    const { output, outputEnd } = this.memory
    const maxBytes = text.length * 3
    const isTooLarge = maxBytes > outputEnd - output
    if (isTooLarge || this.#at + maxBytes > outputEnd + MAX_TEMPLATE_BYTES) this.flush()
    if (isTooLarge) this.#copied.push(Buffer.from(text))
    else this.#at += this.memory.bytes.write(text, this.#at)
  }

  /** Gives the output buffer to this page, with `MAX_TEMPLATE_BYTES` free. */
  #activate(): void {
    const memory = this.memory
    if (memory.owner !== this) {
      if (this.#ended) throw new Error('A page was written to after its end.')
      memory.owner?.flush()
      memory.owner = this
    }
    if (this.#at > memory.outputEnd) this.flush()
  }

  /** Copies the bytes out of the output buffer, because another page needs it or it is full. */
  flush(): void {
    const { output, bytes } = this.memory
    if (this.#at === output) return
    const copy = Buffer.allocUnsafeSlow(this.#at - output)
    bytes.copy(copy, 0, output, this.#at)
    this.#copied.push(copy)
    this.#at = output
  }
}

class ObjectPage implements Page<MutableObject> {
  readonly memory: WriterMemory
  readonly #root: MutableObject = {}
  /** The open objects and lists, the innermost last. Objects that are members have a name. */
  readonly #open: { readonly name?: string; readonly into: MutableObject | MutableObject[] }[] = [{ into: this.#root }]

  constructor(memory: WriterMemory) {
    this.memory = memory
  }

  put(template: Template): void {
    if (template.opens) this.#open.push({ name: template.opens.name, into: {} })
    template.assign(this.#innermost as MutableObject)
  }

  value(name: string, value: unknown): void {
    if (value !== undefined) (this.#innermost as MutableObject)[name] = value
  }

  sentence(name: string, text: string | undefined): void {
    this.value(name, text)
  }

  openList(name: string): void {
    const list: MutableObject[] = []
    this.value(name, list)
    this.#open.push({ into: list })
  }

  closeList(): void {
    this.#open.pop()
  }

  closeObject(): void {
    const closed = this.#open.pop()
    if (!closed) throw new Error('A page has no open object.')
    const { name, into } = closed
    const object = compact(into as MutableObject)
    if (name === undefined) (this.#innermost as MutableObject[]).push(object)
    else (this.#innermost as MutableObject)[name] = object
  }

  end(): MutableObject {
    this.#open.pop()
    if (this.#open.length > 0) throw new Error(`A page ended with ${this.#open.length} open objects or lists.`)
    return this.#root
  }

  get #innermost(): MutableObject | MutableObject[] {
    const innermost = this.#open.at(-1)
    if (!innermost) throw new Error('A page was written to after its end.')
    return innermost.into
  }
}
