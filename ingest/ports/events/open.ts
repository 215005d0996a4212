import type { Config } from '../../config.ts'
import type { Database } from '../database.ts'
import type { Events } from '../events.ts'

/**
 * Opens Kafka if KAFKA_BROKERS names it. Otherwise events stay in process, with a poll of the outbox every second for events of other
 * processes of the same database.
 */
export async function openEvents(
  config: Pick<Config, 'kafkaBrokers'> & Partial<Pick<Config, 'kafka'>>,
  database?: Database,
): Promise<Events> {
  if (config.kafkaBrokers.length > 0) {
    const { openKafka } = await import('./kafka.ts')
    return openKafka(config.kafkaBrokers, config.kafka)
  }
  const { openProcess } = await import('./process.ts')
  return openProcess(database)
}
