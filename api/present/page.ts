import type { Template } from './template.ts'
import { MAX_TEMPLATE_BYTES, type WriterMemory } from './writer-memory.ts'

/** The output of an answer, written from the first byte to the last. */
export interface Page {
  /** Where its templates are compiled. */
  readonly memory: WriterMemory
  /** Appends a template, filled with its values. */
  put(template: Template): void
  /** Appends any text, in UTF-8. */
  text(text: string): void
  /** Ends the page. @returns all bytes, in memory of their own */
  bytes(): Buffer
}

export function openPage(memory: WriterMemory): Page {
  return new OutputPage(memory)
}

/** The output of `write` as text. */
export function written(memory: WriterMemory, write: (page: Page) => void): string {
  const page = openPage(memory)
  write(page)
  return page.bytes().toString()
}

class OutputPage implements Page {
  readonly memory: WriterMemory
  #at: number
  /** Bytes that left the output buffer: it was full, or another page needed it. */
  readonly #copied: Buffer[] = []
  #ended = false

  constructor(memory: WriterMemory) {
    this.memory = memory
    this.#at = memory.output
  }

  put(template: Template): void {
    this.#activate()
    if (this.#at > this.memory.outputEnd) this.flush()
    this.#at = template.write(this.#at)
  }

  text(text: string): void {
    this.#activate()
    const { output, outputEnd } = this.memory
    const most = text.length * 3
    if (this.#at + most > outputEnd + MAX_TEMPLATE_BYTES) this.flush()
    if (most > outputEnd - output) this.#copied.push(Buffer.from(text))
    else this.#at += this.memory.bytes.write(text, this.#at)
  }

  bytes(): Buffer {
    this.#activate()
    this.flush()
    this.#ended = true
    this.memory.owner = undefined
    return this.#copied.length === 1 ? this.#copied[0]! : Buffer.concat(this.#copied)
  }

  #activate(): void {
    const memory = this.memory
    if (memory.owner === this) return
    if (this.#ended) throw new Error('a page was written to after its end')
    memory.owner?.flush()
    memory.owner = this
  }

  /** Copies the bytes out of the output buffer, which another page needs or which is full. */
  flush(): void {
    const { output, bytes } = this.memory
    if (this.#at === output) return
    const copy = Buffer.allocUnsafeSlow(this.#at - output)
    bytes.copy(copy, 0, output, this.#at)
    this.#copied.push(copy)
    this.#at = output
  }
}
