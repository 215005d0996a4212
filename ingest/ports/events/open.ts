import type { Config } from '../../config.ts'
import type { Database } from '../database.ts'
import type { EventLog, Events } from '../events.ts'

/**
 * Opens Kafka if KAFKA_BROKERS is set. Otherwise events stay in this process, and a poll of the outbox every second reads the events of
 * other processes of the same database.
 */
export async function openEvents(
  config: Pick<Config, 'kafkaBrokers'> & Partial<Pick<Config, 'kafka'>>,
  database?: Database,
  log?: EventLog,
): Promise<Events> {
  if (config.kafkaBrokers.length > 0) {
    const { openKafka } = await import('./kafka.ts')
    return openKafka(config.kafkaBrokers, config.kafka, log)
  }
  const { openProcess } = await import('./process.ts')
  return openProcess(database, log)
}
