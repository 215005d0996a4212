import { readFile } from 'node:fs/promises'
import { type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs'
import { certificateFault } from '../../domain/certificate-fault.ts'
import { type KafkaConnection, type KafkaSasl, kafkaTlsNames } from '../../domain/connection-settings.ts'
import type { EventLog } from '../events.ts'
import { tlsOptions } from '../tls.ts'

/** Returns the options of kafkajs for TLS and SASL. The certificates are read here. */
export function kafkaSecurity({ tls, sasl }: KafkaConnection): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  return { ...(tls && { ssl: tlsOptions(tls) }), ...(sasl && { sasl: saslOptions(sasl) }) }
}

/** Returns the options of kafkajs that send its own log to ours, as warnings: kafkajs retries most of its errors. */
export function logOfKafka(log: EventLog): Pick<KafkaConfig, 'logLevel' | 'logCreator'> {
  return {
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ namespace, log: { message, broker, topic, error, groupId } }) =>
        log.warn({ part: namespace, broker, topic, group: groupId, error }, `kafka: ${message}`),
  }
}

function saslOptions(sasl: KafkaSasl): SASLOptions {
  if (sasl.mechanism !== 'oauthbearer') return { ...sasl }
  const { token, tokenFile } = sasl
  return {
    mechanism: 'oauthbearer',
    oauthBearerProvider: async () => ({ value: tokenFile ? (await readFile(tokenFile, 'utf8')).trim() : token }),
  }
}

/** Returns why the brokers cannot be used, and what to do. */
export function reasonOf(error: unknown, { tls, sasl }: KafkaConnection): string {
  const names = { address: 'KAFKA_BROKERS', ...kafkaTlsNames }
  const fault = certificateFault(error, names)
  if (fault) return fault
  const message = error instanceof Error ? error.message : String(error)
  if (message.includes('authentication failed'))
    return `"${message}". Check KAFKA_SASL_MECHANISM and the user and password or token of KAFKA_SASL_*.`
  const protocol = `${sasl ? 'SASL_' : ''}${tls ? 'SSL' : 'PLAINTEXT'}`
  return `"${message}". Check that the brokers are up, and that their listener has KAFKA_SECURITY_PROTOCOL=${protocol}.`
}
