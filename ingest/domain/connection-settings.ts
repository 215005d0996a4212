import { accessSync, constants, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nth } from './nth.ts'
import { hostPort, invalid, oneOf, takesFile, webAddress } from './setting-values.ts'

/** Files of a TLS connection in PEM. Without `ca` the roots of Node apply. */
export interface TlsFiles {
  readonly ca?: string
  readonly certificate?: string
  readonly key?: string
  /** Name that the server's certificate must have instead of the host of the address. */
  readonly serverName?: string
}

export type KafkaSasl =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
      readonly username: string
      readonly password: string
    }
  /** A token is short-lived: its file is read at each authentication. */
  | { readonly mechanism: 'oauthbearer'; readonly token: string; readonly tokenFile?: string }

/** How Kafka's brokers are reached. */
export interface KafkaConnection {
  readonly tls?: TlsFiles
  readonly sasl?: KafkaSasl
  /** Copies of the topics that are created; undefined: 3, or the number of brokers if there are fewer. */
  readonly replication?: number
}

export interface TemporalConnection {
  readonly address: string
  readonly namespace: string
  readonly tls?: TlsFiles
  readonly apiKey?: string
  /** Name of the worker deployment (Temporal's worker versioning); absent: releases are not distinguished. */
  readonly deployment?: string
}

/** Times of the connections of the pool, in seconds. */
export interface DatabaseTimes {
  readonly connectSeconds: number
  readonly idleSeconds: number
  /** 0: no limit. */
  readonly lifetimeSeconds: number
}

export interface DatabaseSettings {
  /** If absent, the embedded database is used. */
  readonly databaseUrl?: string
  readonly databasePool: number
  /** Whether a pooler gives each transaction another connection. */
  readonly databasePooler?: 'transaction' | undefined
  readonly databaseTimes: DatabaseTimes
  /** Whether a start migrates the database at `databaseUrl`, or refuses to start if the schema is older. */
  readonly databaseMigrate: boolean
}

/** Fixed AWS credentials, or the files of credentials that are renewed. */
export type AwsCredentials =
  | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
  | {
      readonly files: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
    }

export interface S3Place {
  readonly kind: 's3'
  readonly bucket: string
  /** Without leading and trailing slashes; may be empty. */
  readonly prefix: string
  readonly endpoint?: string
  /** File of the CA of the endpoint in PEM. */
  readonly ca?: string
  readonly region: string
  readonly credentials?: AwsCredentials
  readonly cache?: { readonly folder: string; readonly bytes: number }
}

export interface FolderPlace {
  readonly kind: 'folder'
  readonly folder: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads settings by name. `text` returns the default of a setting that is not set. */
export interface SettingReader {
  text(name: string): string
  integer(name: string, least: number, most: number): number
  /** Path of the file that a secret was read from, if it came from a file. */
  fileOf(name: string): string | undefined
}

/**
 * Returns the environment with the content of the files that `NAME_FILE` names as the value of each secret NAME.
 * @throws Fault Invalid if a file cannot be read or is empty, or if both forms are set
 */
export function readSecretFiles(names: readonly string[], env: Environment): Environment {
  const read: Record<string, string> = {}
  for (const name of names.filter(takesFile)) {
    const path = env[`${name}_FILE`]?.trim()
    if (!path) continue
    if (env[name]?.trim()) throw invalid(`${name}_FILE`, path, `set without ${name}, or removed`)
    let content: string
    try {
      content = readFileSync(path, 'utf8').trim()
    } catch (error) {
      throw invalid(`${name}_FILE`, path, `a file that this process can read (${(error as Error).message})`)
    }
    if (!content) throw invalid(`${name}_FILE`, path, 'a file with the secret; this file is empty')
    read[name] = content
  }
  return { ...env, ...read }
}

/** Returns the absolute path of a file that a setting names. @throws Fault Invalid if the file cannot be read */
function readable(name: string, path: string): string {
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    throw invalid(name, path, `a PEM file that this process can read (${(error as Error).message})`)
  }
  return resolve(path)
}

function tlsFiles(
  { text }: SettingReader,
  names: { ca: string; certificate: string; key: string; serverName?: string },
): TlsFiles {
  const path = (name: string) => (text(name) ? readable(name, text(name)) : undefined)
  const [certificate, key] = [path(names.certificate), path(names.key)]
  if (certificate && !key) throw invalid(names.certificate, text(names.certificate), `set together with ${names.key}`)
  if (key && !certificate) throw invalid(names.key, text(names.key), `set together with ${names.certificate}`)
  const serverName = names.serverName && text(names.serverName)
  return { ca: path(names.ca), certificate, key, ...(serverName && { serverName }) }
}

/** Settings with the files of Kafka's TLS, for messages. */
export const kafkaTlsNames = { ca: 'KAFKA_CA_FILE', certificate: 'KAFKA_CERT_FILE', key: 'KAFKA_KEY_FILE' } as const

const PROTOCOLS = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const
const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'] as const

/** @throws Fault Invalid for settings that contradict each other */
export function kafkaConnection(reader: SettingReader): KafkaConnection {
  const { text, integer } = reader
  const protocol = oneOf('KAFKA_SECURITY_PROTOCOL', text('KAFKA_SECURITY_PROTOCOL'), PROTOCOLS)
  const hasTls = protocol === 'SSL' || protocol === 'SASL_SSL'
  const hasSasl = protocol === 'SASL_PLAINTEXT' || protocol === 'SASL_SSL'
  const refuseUnused = (names: readonly string[], needed: string) => {
    const unused = names.find((name) => text(name))
    if (unused) throw invalid(unused, text(unused), `set together with KAFKA_SECURITY_PROTOCOL=${needed}, or removed`)
  }
  if (!hasTls) refuseUnused(Object.values(kafkaTlsNames), 'SSL or SASL_SSL')
  if (!hasSasl) refuseUnused(['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD', 'KAFKA_SASL_TOKEN'], 'SASL_SSL')
  return {
    ...(hasTls && { tls: tlsFiles(reader, kafkaTlsNames) }),
    ...(hasSasl && { sasl: kafkaSasl(reader, protocol) }),
    ...(text('KAFKA_REPLICATION') && { replication: integer('KAFKA_REPLICATION', 1, 9) }),
  }
}

function kafkaSasl({ text, fileOf }: SettingReader, protocol: string): KafkaSasl {
  const mechanism = oneOf('KAFKA_SASL_MECHANISM', text('KAFKA_SASL_MECHANISM'), MECHANISMS)
  const needed = (name: string) => {
    if (text(name)) return text(name)
    throw invalid(name, '', `set with KAFKA_SECURITY_PROTOCOL=${protocol} and KAFKA_SASL_MECHANISM=${mechanism}`)
  }
  if (mechanism === 'OAUTHBEARER') {
    return { mechanism: 'oauthbearer', token: needed('KAFKA_SASL_TOKEN'), tokenFile: fileOf('KAFKA_SASL_TOKEN') }
  }
  return {
    mechanism: mechanism === 'PLAIN' ? 'plain' : mechanism === 'SCRAM-SHA-256' ? 'scram-sha-256' : 'scram-sha-512',
    username: needed('KAFKA_SASL_USERNAME'),
    password: needed('KAFKA_SASL_PASSWORD'),
  }
}

/** Settings with the files of Temporal's TLS, for messages. */
export const temporalTlsNames = {
  ca: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  certificate: 'TEMPORAL_TLS_CLIENT_CERT_PATH',
  key: 'TEMPORAL_TLS_CLIENT_KEY_PATH',
  serverName: 'TEMPORAL_TLS_SERVER_NAME',
} as const

/** TLS is on if TEMPORAL_TLS is true, or unset while a file, a server name or an API key is set. */
export function temporalConnection(reader: SettingReader): TemporalConnection | undefined {
  const { text } = reader
  if (!text('TEMPORAL_ADDRESS')) return undefined
  const files = tlsFiles(reader, temporalTlsNames)
  const apiKey = text('TEMPORAL_API_KEY') || undefined
  const isImplied = apiKey !== undefined || Object.values(temporalTlsNames).some((name) => text(name))
  const tls = oneOf('TEMPORAL_TLS', text('TEMPORAL_TLS') || String(isImplied), ['true', 'false'])
  if (tls === 'false' && isImplied)
    throw invalid('TEMPORAL_TLS', 'false', 'true, because a certificate, a server name or an API key is set')
  const deployment = text('TEMPORAL_DEPLOYMENT')
  if (deployment && !/^[\w-]{1,100}$/.test(deployment))
    throw invalid('TEMPORAL_DEPLOYMENT', deployment, 'at most 100 letters, digits, hyphens and underscores')
  return {
    address: hostPort('TEMPORAL_ADDRESS', text('TEMPORAL_ADDRESS')),
    namespace: text('TEMPORAL_NAMESPACE'),
    ...(tls === 'true' && { tls: files }),
    ...(apiKey && { apiKey }),
    ...(deployment && { deployment }),
  }
}

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
/** Parameters of DATABASE_URL with the path of a file. */
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const

/** Returns DATABASE_URL with the password of DATABASE_PASSWORD and with the meaning of `sslmode` in libpq. */
function databaseUrl({ text }: SettingReader): string | undefined {
  const value = text('DATABASE_URL')
  if (!value) return undefined
  const expected = 'postgres://user:password@host:5432/name'
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value)) throw invalid('DATABASE_URL', value, expected)
  const url = new URL(value)
  const password = text('DATABASE_PASSWORD')
  if (password) {
    if (url.password || !url.username)
      throw invalid('DATABASE_PASSWORD', '', `set together with a DATABASE_URL that has a user and no password`)
    url.password = encodeURIComponent(password)
  }
  const mode = url.searchParams.get('sslmode')
  const files = SSL_FILES.filter((name) => url.searchParams.has(name))
  if (mode === null) {
    if (files[0]) throw invalid('DATABASE_URL', value, `given sslmode=verify-full beside ${files[0]}`)
    return password ? url.href : value
  }
  oneOf('sslmode of DATABASE_URL', mode, SSL_MODES)
  // Node's own roots apply where libpq would use those of the system.
  if (url.searchParams.get('sslrootcert') === 'system') url.searchParams.delete('sslrootcert')
  for (const name of files) {
    const path = url.searchParams.get(name)
    if (path) url.searchParams.set(name, readable(`${name} of DATABASE_URL`, path))
  }
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert'))
    throw invalid('sslmode of DATABASE_URL', mode, 'verify-full, or verify-ca beside sslrootcert')
  url.searchParams.set('uselibpqcompat', 'true')
  // A search parameter is written with plus signs for spaces, which the driver would take literally in `options`.
  return url.href.replaceAll('+', '%20')
}

export function databaseSettings(reader: SettingReader): DatabaseSettings {
  const { text, integer } = reader
  const pooler = text('DATABASE_POOLER')
  return {
    databaseUrl: databaseUrl(reader),
    databasePool: integer('DATABASE_POOL', 1, 200),
    databasePooler: pooler ? oneOf('DATABASE_POOLER', pooler, ['transaction'] as const) : undefined,
    databaseTimes: {
      connectSeconds: integer('DATABASE_CONNECT_SECONDS', 1, 300),
      idleSeconds: integer('DATABASE_IDLE_SECONDS', 1, 86_400),
      lifetimeSeconds: integer('DATABASE_LIFETIME_SECONDS', 0, 604_800),
    },
    databaseMigrate: oneOf('DATABASE_MIGRATE', text('DATABASE_MIGRATE'), ['true', 'false']) === 'true',
  }
}

/** Returns the credentials of the settings; undefined: the usual chain of the AWS SDK. */
export function awsCredentials({ text, fileOf }: SettingReader): AwsCredentials | undefined {
  const [id, secret] = [text('AWS_ACCESS_KEY_ID'), text('AWS_SECRET_ACCESS_KEY')]
  if (Boolean(id) !== Boolean(secret)) {
    const lone = id ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY'
    throw invalid(lone, '(hidden)', 'set together with the other of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  if (!id) return undefined
  const [accessKeyId, secretAccessKey] = [fileOf('AWS_ACCESS_KEY_ID'), fileOf('AWS_SECRET_ACCESS_KEY')]
  if (accessKeyId && secretAccessKey)
    return { files: { accessKeyId, secretAccessKey, sessionToken: fileOf('AWS_SESSION_TOKEN') } }
  return { accessKeyId: id, secretAccessKey: secret, sessionToken: text('AWS_SESSION_TOKEN') || undefined }
}

export function objectsPlace(reader: SettingReader, dataDir: string): FolderPlace | S3Place {
  const { text, integer } = reader
  const place = text('OBJECTS_URL')
  // A letter and a colon may be a drive.
  if (!/^[a-z0-9]{2,}:/i.test(place))
    return { kind: 'folder', folder: place ? resolve(place) : join(dataDir, 'objects') }
  if (place.startsWith('file://')) return { kind: 'folder', folder: decodeURIComponent(new URL(place).pathname) }
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{2,62})(?:\/(.*))?$/.exec(place)
  if (!parts)
    throw invalid('OBJECTS_URL', place, 's3://bucket/prefix (bucket names have 3 to 63 characters) or a folder')
  const megabytes = integer('OBJECTS_CACHE_MB', 0, 10_000_000)
  return {
    kind: 's3',
    bucket: nth(parts, 1),
    prefix: (parts[2] ?? '').replace(/^\/+|(?<!\/)\/+$/g, ''),
    endpoint: text('S3_ENDPOINT') ? webAddress('S3_ENDPOINT', text('S3_ENDPOINT')) : undefined,
    ca: text('S3_CA_FILE') ? readable('S3_CA_FILE', text('S3_CA_FILE')) : undefined,
    region: text('AWS_REGION'),
    credentials: awsCredentials(reader),
    cache: megabytes
      ? { folder: resolve(text('OBJECTS_CACHE') || join(dataDir, 'cache', 'objects')), bytes: megabytes * 1_048_576 }
      : undefined,
  }
}
