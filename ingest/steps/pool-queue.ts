import { Piscina } from 'piscina'

type QueuedTask = Parameters<Piscina['options']['taskQueue']['push']>[0]

/** Queued tasks by urgency; tasks of the same urgency are in order of arrival. */
export class PriorityQueue {
  readonly #tasks: QueuedTask[] = []

  get size(): number {
    return this.#tasks.length
  }

  shift(): QueuedTask | null {
    return this.#tasks.shift() ?? null
  }

  push(task: QueuedTask): void {
    const urgency = urgencyOf(task)
    const at = this.#tasks.findIndex((waiting) => urgencyOf(waiting) < urgency)
    if (at < 0) this.#tasks.push(task)
    else this.#tasks.splice(at, 0, task)
  }

  /** Puts a task that no thread could take back into the queue, before tasks of the same urgency. */
  unshift(task: QueuedTask): void {
    const urgency = urgencyOf(task)
    const at = this.#tasks.findIndex((waiting) => urgencyOf(waiting) <= urgency)
    this.#tasks.splice(at < 0 ? this.#tasks.length : at, 0, task)
  }

  remove(task: QueuedTask): void {
    const at = this.#tasks.indexOf(task)
    if (at >= 0) this.#tasks.splice(at, 1)
  }
}

function urgencyOf(task: QueuedTask): number {
  const options = (task as unknown as Record<symbol, { urgency: number } | null>)[Piscina.queueOptionsSymbol]
  return options?.urgency ?? 0
}
