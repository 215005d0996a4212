import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { searchAttributeNames } from './attributes.ts'

/** Time that a server gets to make new attributes usable, ms. */
const USABLE_MS = 10_000
const CHECK_INTERVAL_MS = 500
/** The type of a keyword in Temporal's protocol (`INDEXED_VALUE_TYPE_KEYWORD`). */
const KEYWORD = 2

/**
 * Registers the search attributes of our workflows in the namespace if the server allows it.
 * @returns whether the namespace has them. Without them workflows run as well, and cannot be found by dataset
 */
export async function registerSearchAttributes(client: Client): Promise<boolean> {
  if (await areUsable(client)) return true
  let attempts = USABLE_MS / CHECK_INTERVAL_MS
  try {
    await client.connection.operatorService.addSearchAttributes({
      namespace: client.options.namespace,
      searchAttributes: Object.fromEntries(searchAttributeNames.map((name) => [name, KEYWORD])),
    })
  } catch {
    // The role may not add attributes, the server has no operator service, or another worker has just added them.
    attempts = 2
  }
  for (; attempts > 0; attempts--) {
    await pause(CHECK_INTERVAL_MS)
    if (await areUsable(client)) return true
  }
  return false
}

/** A query with an attribute that the namespace lacks is refused. */
async function areUsable(client: Client): Promise<boolean> {
  const query = searchAttributeNames.map((name) => `${name} = 'none'`).join(' and ')
  return client.workflow.count(query).then(
    () => true,
    () => false,
  )
}
