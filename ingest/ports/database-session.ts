export type Parameter = string | number | boolean | bigint | null | undefined | Date | Uint8Array | readonly Parameter[]

export type Row = Record<string, unknown>

export interface Result {
  readonly rows: Row[]
  /** Rows that an insert, update or delete touched. */
  readonly affected: number
}

/** One connection, held by one caller at a time. */
export interface Session {
  run(text: string, parameters?: readonly Parameter[]): Promise<Result>
  release(): void
  /** The connection is in an unknown state: never hand it to another caller. */
  breakOff(): void
}

/** Where sessions come from: one in the embedded database, a pool before a server. */
export interface Source {
  acquire(): Promise<Session>
  close(): Promise<void>
}

/** A queue of callers for the one session: first come, first served. */
export class Turn {
  #tail: Promise<void> = Promise.resolve()
  #waiting = 0

  get waiting(): number {
    return this.#waiting
  }

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async take(): Promise<() => void> {
    const before = this.#tail
    let end!: () => void
    this.#tail = new Promise((resolve) => {
      end = resolve
    })
    this.#waiting++
    await before
    this.#waiting--
    return end
  }
}
