import { within } from './time-limit.ts'

/** Time in which the database and the workflow engines must answer a scrape, ms. Prometheus gives up after 10 s. */
export const SCRAPE_TIMEOUT_MS = 2000

/**
 * Reads the value of a metric. A database that accepts connections but never answers must not block the scrape.
 * @returns undefined if the read fails or takes longer than two seconds
 */
export async function readForScrape<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await within(SCRAPE_TIMEOUT_MS, read(), () => new Error('the value of a metric did not arrive in time'))
  } catch {
    return undefined
  }
}
