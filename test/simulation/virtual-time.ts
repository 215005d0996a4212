import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Life } from './life.ts'

/** The part of a process that runs now. Its timers do not fire after its death. */
export const owner = new AsyncLocalStorage<Life>()

interface Timer {
  due: number
  order: number
  readonly delayMs: number
  readonly repeats: boolean
  readonly run: () => void
  readonly life: Life | undefined
  /** Whether the timer polls: only such a timer is stretched. */
  isPoll: boolean
  isOver: boolean
}

/** Longest interval of heartbeats, ms. */
const MAX_HEARTBEAT_MS = 15_000

const realImmediate = setImmediate
const RealDate = Date

/**
 * The clock and the timers of a simulation. Time moves only when no real work is left: promises, reads of files, compression. The wall
 * clock is the monotonic clock and an offset, so that a jump of the wall clock leaves timers as they are.
 */
export class VirtualTime {
  #monotonicMs = 0
  #offsetMs: number
  #order = 0
  #heap: Timer[] = []
  #stretchMs = 0
  /** Number of timers that have fired. */
  fired = 0

  constructor(start: number) {
    this.#offsetMs = start
  }

  /** Time of the wall clock, ms since 1970. */
  now = (): number => Math.floor(this.#offsetMs + this.#monotonicMs)

  /** Time of the clock that never jumps, ms. */
  monotonic = (): number => this.#monotonicMs

  /** Moves the wall clock, and leaves timers as they are. */
  jump(ms: number): void {
    this.#offsetMs += ms
  }

  /**
   * Lets polls run no more often than this, as on a slow machine; 0 restores their own intervals.
   */
  stretch(ms: number): void {
    this.#stretchMs = ms
    if (ms === 0) this.hasten()
  }

  /** Moves each poll that waits to its own time; polls after it are stretched again. */
  hasten(): void {
    for (const timer of this.#heap) if (timer.isPoll) timer.due = Math.min(timer.due, this.#monotonicMs + timer.delayMs)
    this.#heap.sort(before)
  }

  /** Fires every timer that is due until `ms` from now. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonicMs + ms
    for (;;) {
      await settle()
      const timer = this.#next(end)
      if (!timer) break
      this.#fire(timer)
    }
    this.#monotonicMs = end
  }

  /**
   * Fires timers until the work is done. @returns its result; undefined if `limitMs` of virtual time pass first
   */
  async until<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
    let outcome: { readonly value: T } | { readonly error: unknown } | undefined
    work.then(
      (value) => {
        outcome = { value }
      },
      (error: unknown) => {
        outcome = { error }
      },
    )
    const end = this.#monotonicMs + limitMs
    for (;;) {
      await settle()
      if (outcome) break
      const timer = this.#next(end)
      if (!timer) return undefined
      this.#fire(timer)
    }
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  #next(end: number): Timer | undefined {
    for (;;) {
      const [timer] = this.#heap
      if (!timer || timer.due > end) return undefined
      this.#remove()
      if (!timer.isOver && timer.life?.isDead !== true) return timer
    }
  }

  #fire(timer: Timer): void {
    this.#monotonicMs = Math.max(this.#monotonicMs, timer.due)
    this.fired++
    if (timer.repeats) this.#plan(timer)
    else timer.isOver = true
    timer.run()
  }

  #plan(timer: Timer): void {
    timer.due = this.#monotonicMs + (timer.isPoll ? Math.max(timer.delayMs, this.#stretchOf(timer)) : timer.delayMs)
    timer.order = ++this.#order
    this.#add(timer)
  }

  /** Intervals in a worker are also heartbeats, which count as missing after 20 s. An API has only readers. */
  #stretchOf({ life, repeats }: Timer): number {
    if (life?.kind === 'api') return 10 * this.#stretchMs
    return life?.kind === 'worker' && repeats ? Math.min(this.#stretchMs, MAX_HEARTBEAT_MS) : this.#stretchMs
  }

  #add(timer: Timer): void {
    const heap = this.#heap
    let i = heap.push(timer) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (before(heap[parent] as Timer, timer) <= 0) break
      heap[i] = heap[parent] as Timer
      i = parent
    }
    heap[i] = timer
  }

  #remove(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] as Timer, heap[child] as Timer) < 0) child++
      if (before(heap[child] as Timer, last) >= 0) break
      heap[i] = heap[child] as Timer
      i = child
    }
    heap[i] = last
  }

  /** Starts a timer. */
  start(run: () => void, delayMs: number, how: { readonly repeats?: boolean; readonly isPoll?: boolean } = {}): Handle {
    const { repeats = false, isPoll = repeats } = how
    const delay = Number.isFinite(delayMs) && delayMs >= 1 ? delayMs : delayMs === 0 && !repeats ? 0 : 1
    const timer: Timer = {
      due: 0,
      order: 0,
      delayMs: delay,
      repeats,
      run: AsyncResource.bind(run),
      life: owner.getStore(),
      isPoll,
      isOver: false,
    }
    this.#plan(timer)
    const again = () => {
      if (timer.isOver) return
      timer.isOver = true
      Object.assign(handle, this.start(run, delay, { repeats, isPoll: timer.isPoll }))
    }
    const handle: Handle = {
      stop() {
        timer.isOver = true
      },
      poll() {
        if (timer.isPoll || timer.isOver) return
        timer.isPoll = true
        again()
      },
      refresh: again,
    }
    return handle
  }

  /** Replaces the clocks, timers and random numbers of this process. Nothing else may have started yet. */
  install(random: () => number): void {
    installClock(this)
    installTimers(this)
    installRandom(random)
    removeCollections()
    syncBuiltinESMExports()
  }
}

interface Handle {
  stop(): void
  /** Marks the timer as a poll. */
  poll(): void
  refresh(): void
}

function before(a: Timer, b: Timer): number {
  return a.due - b.due || a.order - b.order
}

/** Real work that a request of the process has in progress; sockets and pipes of the process itself do not count. */
const WORK = /^(?:FSReq|ZLIB|Zstd|Brotli|RandomBytes|PBKDF2|Scrypt|HASH|SIGN|GetAddrInfo|Worker|Work)/i

/** Waits until promises, reads of files and other real work of this process are done. */
export async function settle(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => realImmediate(resolve))
    if (!process.getActiveResourcesInfo().some((name) => WORK.test(name))) return
  }
}

function installClock(time: VirtualTime): void {
  RealDate.now = time.now
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, list, newTarget) =>
      Reflect.construct(
        target,
        list.length === 0 ? [time.now()] : list,
        newTarget === globalThis.Date ? target : newTarget,
      ),
    apply: () => new RealDate(time.now()).toString(),
  })
  RealDate.prototype.constructor = globalThis.Date
  performance.now = time.monotonic
}

const require = createRequire(import.meta.url)

function installTimers(time: VirtualTime): void {
  const timers = require('node:timers') as Record<string, unknown>
  const promises = require('node:timers/promises') as Record<string, unknown>
  const started = new WeakMap<object, Handle>()
  let count = 0
  const timerOf = (handle: Handle): object => {
    const id = ++count
    const timer = {
      ref: () => timer,
      unref: () => {
        handle.poll()
        return timer
      },
      hasRef: () => true,
      refresh: () => {
        handle.refresh()
        return timer
      },
      close: () => handle.stop(),
      [Symbol.toPrimitive]: () => id,
      [Symbol.dispose]: () => handle.stop(),
    }
    started.set(timer, handle)
    return timer
  }
  const clear = (timer: unknown) => {
    if (typeof timer === 'object' && timer !== null) started.get(timer)?.stop()
  }
  const replaced = {
    setTimeout: (run: (...list: unknown[]) => void, ms = 1, ...list: unknown[]) =>
      timerOf(time.start(() => run(...list), Number(ms))),
    setInterval: (run: (...list: unknown[]) => void, ms = 1, ...list: unknown[]) =>
      timerOf(time.start(() => run(...list), Number(ms), { repeats: true })),
    setImmediate: (run: (...list: unknown[]) => void, ...list: unknown[]) => timerOf(time.start(() => run(...list), 0)),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  }
  Object.assign(globalThis, replaced)
  Object.assign(timers, replaced)

  const wait = (ms: number, value: unknown, { signal, ref }: { signal?: AbortSignal; ref?: boolean } = {}) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        handle.stop()
        reject(
          Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), {
            name: 'AbortError',
            code: 'ABORT_ERR',
          }),
        )
      }
      // pg-boss waits for its next poll with the value null.
      const isPoll = ref === false || value === null
      const handle = time.start(
        () => {
          signal?.removeEventListener('abort', stop)
          resolve(value)
        },
        ms,
        { isPoll },
      )
      if (signal?.aborted) return stop()
      signal?.addEventListener('abort', stop, { once: true })
    })
  promises['setTimeout'] = (ms = 1, value?: unknown, options?: { signal?: AbortSignal; ref?: boolean }) =>
    wait(ms, value, options)
  promises['setImmediate'] = (value?: unknown, options?: { signal?: AbortSignal }) => wait(0, value, { ...options })
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    time.start(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms)
    return controller.signal
  }
}

/** Forced collections of garbage follow the clock, and would come with every task. */
function removeCollections(): void {
  const vm = require('node:vm') as { runInNewContext(code: string): unknown }
  vm.runInNewContext = () => () => undefined
}

/** Random numbers that are not secret in a simulation: they follow from its seed. */
function installRandom(random: () => number): void {
  const crypto = require('node:crypto') as Record<string, unknown>
  const fill = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256)
    return view
  }
  const randomUUID = () => {
    const hex = Buffer.from(fill(new Uint8Array(16))).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  Math.random = random
  Object.assign(crypto, {
    randomUUID,
    randomBytes: (size: number, done?: (error: null, bytes: Buffer) => void) => {
      const bytes = fill(Buffer.alloc(size))
      if (done) process.nextTick(done, null, bytes)
      return bytes
    },
    randomFillSync: fill,
    randomInt: (low: number, high?: number) =>
      high === undefined ? Math.floor(random() * low) : low + Math.floor(random() * (high - low)),
  })
  Object.defineProperties(globalThis.crypto, {
    getRandomValues: { value: fill, configurable: true },
    randomUUID: { value: randomUUID, configurable: true },
  })
}
