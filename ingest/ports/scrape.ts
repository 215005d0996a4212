import { within } from './time-limit.ts'

/** Time within which the database and the engines must answer a scrape, ms. Prometheus gives up after 10 s. */
export const SCRAPE_TIMEOUT_MS = 2000

/**
 * Reads what a metric shows. A database that accepts connections and never answers must not keep a scrape from ending.
 * @returns undefined if the read fails or takes longer than two seconds
 */
export async function readForScrape<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await within(SCRAPE_TIMEOUT_MS, read(), () => new Error('no answer to a scrape'))
  } catch {
    return undefined
  }
}
