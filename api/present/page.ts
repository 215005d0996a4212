import { desk, type Form, MARGIN } from './form.ts'

/**
 * Where an answer is written, from its first octet to its last. All pages lie on the same paper: one is written at a time,
 * and to its end without waiting for anything.
 */
export interface Page {
  /** Fills a form's blanks with its values. */
  put(form: Form): void
  /** Any text, in UTF-8. */
  text(text: string): void
  /** All that was written, as bytes that share their memory with nothing. The page is closed with it. */
  bytes(): Buffer
}

let open: Page | undefined

/** Begins a page; one that was begun before is not to be written to any more. */
export function openPage(): Page {
  open = new Sheet()
  return open
}

/** What `write` writes, as text. */
export function written(write: (page: Page) => void): string {
  const page = openPage()
  write(page)
  return page.bytes().toString()
}

class Sheet implements Page {
  readonly #bytes = desk().bytes
  readonly #start = desk().paper
  readonly #end = desk().bytes.length - MARGIN
  #at = this.#start
  /** What did not fit on the paper with the rest. */
  readonly #turned: Buffer[] = []

  put(form: Form): void {
    if (this.#at > this.#end || open !== this) this.#turn()
    this.#at = form.write(this.#at)
  }

  text(text: string): void {
    if (this.#at + text.length * 3 > this.#end || open !== this) this.#turn()
    if (text.length * 3 > this.#end - this.#start) this.#turned.push(Buffer.from(text))
    else this.#at += this.#bytes.write(text, this.#at)
  }

  bytes(): Buffer {
    if (this.#turned.length > 0 || open !== this) {
      this.#turn()
      open = undefined
      return Buffer.concat(this.#turned)
    }
    const bytes = Buffer.allocUnsafeSlow(this.#at - this.#start)
    this.#bytes.copy(bytes, 0, this.#start, this.#at)
    open = undefined
    return bytes
  }

  #turn(): void {
    if (open !== this) throw new Error('a page was written to after another was begun, or after its end')
    this.#turned.push(Buffer.from(this.#bytes.subarray(this.#start, this.#at)))
    this.#at = this.#start
  }
}
