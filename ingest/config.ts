import { homedir } from 'node:os'
import { resolve } from 'node:path'
import {
  type AwsCredentials,
  awsCredentials,
  type DatabaseSettings,
  databaseSettings,
  type Environment,
  type FolderPlace,
  type KafkaConnection,
  kafkaConnection,
  objectsPlace,
  readSecretFiles,
  type S3Place,
  type SettingReader,
  type TemporalConnection,
  temporalConnection,
} from './domain/connection-settings.ts'
import { MAX_HISTORY_DAYS } from './domain/dataset/history.ts'
import { entryOf } from './domain/nth.ts'
import {
  bucketMirrors,
  hostPort,
  invalid,
  network,
  oneOf,
  secretValues,
  takesFile,
  upstream,
  webAddress,
} from './domain/setting-values.ts'

/** Every setting of the environment with its default and meaning. README and docs are generated from this table. */
export const settings = {
  DATABASE_URL: [
    '',
    'PostgreSQL with PostGIS; sslmode (disable, require, verify-ca, verify-full), sslrootcert, sslcert and sslkey as in libpq; unset: embedded PostGIS under DATA_DIR',
  ],
  DATABASE_PASSWORD: ['', 'password of the user in DATABASE_URL'],
  DATABASE_POOLER: [
    '',
    'transaction: a pooler in transaction mode, such as PgBouncer, is between Hexcast and PostgreSQL; unset: none',
  ],
  DATABASE_POOL: ['8', 'connections of one process to PostgreSQL'],
  DATABASE_CONNECT_SECONDS: ['5', 'seconds that a statement waits for a connection'],
  DATABASE_IDLE_SECONDS: ['60', 'seconds after which an unused connection is closed'],
  DATABASE_LIFETIME_SECONDS: ['0', 'seconds after which a connection is replaced; 0: never'],
  DATABASE_MIGRATE: [
    'true',
    'true or false: whether a start migrates the database; if false, run hexcast migrate first',
  ],
  OBJECTS_URL: ['', 's3://bucket/prefix, or a folder; unset: DATA_DIR/objects'],
  S3_ENDPOINT: ['', 'S3 server other than Amazon’s'],
  S3_CA_FILE: ['', 'PEM file of the CA of S3_ENDPOINT; unset: the roots of Node'],
  AWS_REGION: ['us-east-1', 'region of the bucket and of the upstream queues'],
  AWS_ACCESS_KEY_ID: [
    '',
    'credentials of the bucket and of the upstream queues; the files are read again every five minutes; unset: the usual AWS chain, such as AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN',
  ],
  AWS_SECRET_ACCESS_KEY: ['', 'see AWS_ACCESS_KEY_ID'],
  AWS_SESSION_TOKEN: ['', 'see AWS_ACCESS_KEY_ID'],
  OBJECTS_CACHE: ['', 'folder of the read-through cache before S3; unset: DATA_DIR/cache/objects'],
  OBJECTS_CACHE_MB: ['2048', 'limit of that cache; 0 switches it off'],
  KAFKA_BROKERS: ['', 'host:port,…; unset: events stay in process'],
  KAFKA_SECURITY_PROTOCOL: ['PLAINTEXT', 'PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL'],
  KAFKA_SASL_MECHANISM: ['SCRAM-SHA-512', 'PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER'],
  KAFKA_SASL_USERNAME: ['', 'user for PLAIN and SCRAM'],
  KAFKA_SASL_PASSWORD: ['', 'password of KAFKA_SASL_USERNAME'],
  KAFKA_SASL_TOKEN: ['', 'token for OAUTHBEARER; its file is read again at each authentication'],
  KAFKA_CA_FILE: ['', 'PEM file of the CA of the brokers; unset: the roots of Node'],
  KAFKA_CERT_FILE: ['', 'PEM file of the client certificate (mTLS)'],
  KAFKA_KEY_FILE: ['', 'PEM file of the key of KAFKA_CERT_FILE'],
  KAFKA_REPLICATION: [
    '',
    'copies of the topics that Hexcast creates; topics that exist are used as they are; unset: 3, or the number of brokers if there are fewer',
  ],
  TEMPORAL_ADDRESS: ['', 'host:port; unset: the embedded queue'],
  TEMPORAL_NAMESPACE: ['default', 'namespace at TEMPORAL_ADDRESS'],
  TEMPORAL_TLS: ['', 'true or false; unset: true if another TEMPORAL_TLS_* setting or TEMPORAL_API_KEY is set'],
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: ['', 'PEM file of the CA of the server; unset: public roots'],
  TEMPORAL_TLS_SERVER_NAME: ['', 'name that the certificate of the server must have; unset: the host of the address'],
  TEMPORAL_TLS_CLIENT_CERT_PATH: ['', 'PEM file of the client certificate (mTLS)'],
  TEMPORAL_TLS_CLIENT_KEY_PATH: ['', 'PEM file of the key of TEMPORAL_TLS_CLIENT_CERT_PATH'],
  TEMPORAL_API_KEY: ['', 'API key, sent as a Bearer token over TLS'],
  TEMPORAL_DEPLOYMENT: [
    '',
    'name of the worker deployment, so that Temporal gives work to the newest release alone; unset: to every worker',
  ],
  UPSTREAM: ['auto', 'auto, live, simulated, or the URL of a mirror'],
  MODEL_MIRRORS: [
    'noaa-hrrr-bdp-pds=https://storage.googleapis.com/high-resolution-rapid-refresh,noaa-nbm-grib2-pds=https://storage.googleapis.com/national-blend-of-models,noaa-gfs-bdp-pds=https://storage.googleapis.com/global-forecast-system',
    'BUCKET=ADDRESS,…: other addresses of the same keys, used while a bucket of model runs fails or is late; off: none',
  ],
  ALERTS_SECOND_URL: [
    'https://api.weather.gov/alerts/active.atom,https://mapservices.weather.noaa.gov/eventdriven/rest/services/WWA/watch_warn_adv/MapServer',
    'Atom indices and map services (MapServer) of the active alerts, read in this order while the feed fails; off: none',
  ],
  METAR_SECOND_URL: [
    'https://tgftp.nws.noaa.gov/data/observations/metar/cycles/',
    'folder of the hourly files HHZ.TXT, read at a cold start, after a gap, and while the METAR cache fails',
  ],
  UPSTREAM_QUEUE_URL: ['', 'SQS queue(s) with notifications of new objects, separated by commas'],
  DATA_DIR: ['./data', 'state of the embedded parts'],
  DATASETS: [
    '',
    'ids of the datasets to ingest, separated by commas, the same for all processes; -ID leaves a dataset out, and those whose ids begin with ID and a hyphen; answers do not report other datasets as missing; unset: all that upstream has',
  ],
  HISTORY_DAYS: [
    '2',
    'days for which earlier answers can be requested by as_of, 0 to 60; a day of all datasets takes 75 GB of objects',
  ],
  H3_RESOLUTION: ['7', 'resolution of the model cells'],
  ALERTS_POLL_SECONDS: ['30', 'seconds between reads of the alert feed'],
  METAR_POLL_SECONDS: ['60', 'seconds between reads of the METAR cache'],
  AIRNOW_POLL_SECONDS: ['600', "seconds between reads of AirNow's hourly files"],
  TEXT_POLL_SECONDS: ['60', 'seconds between reads of the lists of text products'],
  RUNS_POLL_SECONDS: ['60', 'seconds between checks for new runs'],
  TRIAL_CALLS: ['500', 'metered calls after which a trial key is answered with 402'],
  X402_PAY_TO: ['', 'address that receives payments for single calls without a key (x402); unset: switched off'],
  X402_FACILITATOR: ['', 'URL of the x402 facilitator that verifies and settles payments; required with X402_PAY_TO'],
  X402_NETWORK: ['eip155:8453', 'chain of the payments, as a CAIP-2 id'],
  X402_ASSET: [
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    'contract of the token on that chain; the default is USDC on Base',
  ],
  X402_ASSET_NAME: ['USD Coin', 'name of the token in the message that payers sign (EIP-712)'],
  X402_ASSET_VERSION: ['2', 'version of the token in that message'],
  X402_PRICE: ['1000', 'price of a call in the token’s smallest unit'],
  DEVICE_CODE_SECONDS: ['600', 'lifetime of a device code'],
  CONTACT: [
    '',
    'mail or web address of the operator, sent to NOAA in the User-Agent; required with UPSTREAM=live; none: send no address',
  ],
  MAIL_URL: ['', 'smtp://… for mails; unset: the embedded outbox'],
  AUTH_ISSUER: ['', 'external OpenID issuer; unset: our own'],
  SIGNING_SECRET: ['', 'Ed25519 private key in PEM with which workers sign tiles; unset: tiles are unsigned'],
  METRICS_TOKEN: ['', 'Bearer token for /metrics from addresses other than loopback'],
  PUBLIC_URL: ['', 'public address, if the API is behind a proxy'],
  ALLOWED_ORIGINS: ['', 'additional Origins that the tool server accepts, separated by commas'],
  TRUSTED_PROXIES: [
    '',
    'addresses and networks of proxies in front of the API, separated by commas, such as 10.0.0.0/8: X-Forwarded-For of their connections names the client; with PUBLIC_URL loopback is also trusted',
  ],
  CORS_ORIGINS: ['', 'Origins whose pages may read /v1/* in a browser, separated by commas; * allows all'],
  EDGE_CACHE: [
    'false',
    'true: answers of /v1/weather with an age are Cache-Control: public and have Surrogate-Key; only behind a cache that checks the key of each request (infra/OPS.md)',
  ],
  WEBHOOKS_PRIVATE: ['false', 'true: webhooks may call addresses of this machine, also by http'],
  HOST: ['127.0.0.1', 'address to listen on'],
  PORT: ['8080', 'port to listen on'],
  LOG_LEVEL: ['info', 'trace, debug, info, warn, error, fatal or silent'],
  LOG_FORMAT: [
    'auto',
    'json: one JSON object a line; text: lines for people; auto: text on a terminal, otherwise json',
  ],
  DRAIN_SECONDS: [
    '',
    'seconds from the termination signal until the API refuses connections; meanwhile /readyz is 503 and all requests are answered; unset: 5, and 0 on a terminal',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['', 'address to which traces are sent; unset: traces are off'],
  OPENLINEAGE_URL: ['', 'address for OpenLineage events of model runs (at /api/v1/lineage); unset: off'],
  OPENLINEAGE_NAMESPACE: ['hexcast', 'OpenLineage namespace of jobs and outputs'],
  OPENLINEAGE_API_KEY: ['', 'Bearer token for OPENLINEAGE_URL'],
  WORKER_METRICS_PORT: ['0', 'port of a worker’s /metrics and /healthz on HOST; 0: none'],
} as const satisfies Record<string, readonly [fallback: string, meaning: string]>

export type SettingName = keyof typeof settings
export type { FolderPlace, S3Place }

/** Price of a single call and its recipient, if calls without a key are paid. */
export interface PayPerCall {
  readonly payTo: string
  readonly facilitator: string
  readonly network: string
  readonly asset: string
  readonly assetName: string
  readonly assetVersion: string
  /** Price in decimal digits, in the smallest unit of the asset. */
  readonly price: string
}

export interface Config extends DatabaseSettings {
  /** Absolute path. */
  readonly dataDir: string
  readonly objects: FolderPlace | S3Place
  /** Kafka brokers; if empty, events stay in process. */
  readonly kafkaBrokers: readonly string[]
  readonly kafka: KafkaConnection
  readonly temporal?: TemporalConnection
  readonly upstream: 'auto' | 'live' | 'simulated' | URL
  readonly bucketMirrors: Readonly<Record<string, readonly string[]>>
  readonly secondSources: { readonly alerts?: readonly string[]; readonly metar: string }
  readonly upstreamQueueUrls: readonly string[]
  readonly awsRegion: string
  readonly awsCredentials?: AwsCredentials
  /** Datasets to ingest, or with a leading `-` not to ingest; without the former all are. Read by `takes`. */
  readonly datasets: readonly string[]
  /** Days of history of answers; 0 for none. */
  readonly historyDays: number
  readonly h3Resolution: number
  readonly alertsPollSeconds: number
  /** Poll intervals by dataset id, for datasets that a setting names. */
  readonly feedPollSeconds: Readonly<Record<string, number>>
  readonly runsPollSeconds: number
  readonly trialCalls: number
  /** Absent if switched off. */
  readonly payPerCall?: PayPerCall
  readonly deviceCodeSeconds: number
  readonly contact?: string
  readonly mailUrl?: string
  readonly authIssuer?: string
  readonly signingSecret?: string
  readonly metricsToken?: string
  readonly publicUrl?: string
  readonly allowedOrigins: readonly string[]
  /** Addresses and networks. */
  readonly trustedProxies: readonly string[]
  /** Allowed origins, or `*` for every origin. */
  readonly corsOrigins: readonly string[]
  /** Whether a shared cache in front of the API may store answers. */
  readonly edgeCache: boolean
  /** Whether webhooks may call addresses of this machine. */
  readonly webhooksPrivate: boolean
  readonly host: string
  readonly port: number
  readonly logLevel: string
  readonly logFormat: 'auto' | 'json' | 'text'
  /** Secrets among the settings, which no log line may contain. */
  readonly secrets: readonly string[]
  /** If absent, the default depends on the terminal. */
  readonly drainSeconds?: number
  readonly otlpEndpoint?: string
  /** Absent if switched off. */
  readonly lineage?: { readonly url: string; readonly namespace: string; readonly key?: string }
  readonly workerMetricsPort: number
}

/**
 * Reads the environment once, at the start of a command. @throws Fault Invalid that names the setting, its value and a
 * valid value
 */
export function loadConfig(environment: Environment = process.env): Config {
  const env = readSecretFiles(Object.keys(settings), environment)
  const text = (name: SettingName): string => (env[name] ?? '').trim() || settings[name][0]
  const optional = (name: SettingName): string | undefined => text(name) || undefined
  const integer = (name: SettingName, least: number, most: number): number => {
    const value = Number(text(name))
    if (!Number.isInteger(value) || value < least || value > most) {
      throw invalid(name, text(name), `a whole number from ${least} to ${most}, such as ${settings[name][0]}`)
    }
    return value
  }
  const list = (name: SettingName): string[] =>
    text(name)
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)

  const fileOf = (name: SettingName) => (takesFile(name) && environment[`${name}_FILE`]?.trim()) || undefined
  const reader: SettingReader = { text, integer, fileOf }
  const dataDir = resolve(text('DATA_DIR').replace(/^~(?=\/|$)/, homedir()))
  const config: Config = {
    dataDir,
    ...databaseSettings(reader),
    objects: objectsPlace(reader, dataDir),
    kafkaBrokers: list('KAFKA_BROKERS').map((broker) => hostPort('KAFKA_BROKERS', broker)),
    kafka: kafkaConnection(reader),
    temporal: temporalConnection(reader),
    upstream: upstream(text('UPSTREAM')),
    bucketMirrors: text('MODEL_MIRRORS') === 'off' ? {} : bucketMirrors(list('MODEL_MIRRORS')),
    secondSources: {
      alerts:
        text('ALERTS_SECOND_URL') === 'off'
          ? undefined
          : list('ALERTS_SECOND_URL').map((url) => webAddress('ALERTS_SECOND_URL', url)),
      metar: webAddress('METAR_SECOND_URL', text('METAR_SECOND_URL')).replace(/(?<!\/)$/, '/'),
    },
    upstreamQueueUrls: list('UPSTREAM_QUEUE_URL').map((url) => webAddress('UPSTREAM_QUEUE_URL', url)),
    awsRegion: text('AWS_REGION'),
    awsCredentials: awsCredentials(reader),
    datasets: list('DATASETS'),
    historyDays: integer('HISTORY_DAYS', 0, MAX_HISTORY_DAYS),
    h3Resolution: integer('H3_RESOLUTION', 3, 8),
    alertsPollSeconds: integer('ALERTS_POLL_SECONDS', 1, 3600),
    feedPollSeconds: {
      'nws-alerts': integer('ALERTS_POLL_SECONDS', 1, 3600),
      metar: integer('METAR_POLL_SECONDS', 1, 3600),
      airnow: integer('AIRNOW_POLL_SECONDS', 1, 3600),
      'nws-texts': integer('TEXT_POLL_SECONDS', 1, 3600),
      // Each of 300 stations issues these products twice a day, so by default they are polled every five minutes.
      'climate-reports': env['TEXT_POLL_SECONDS']?.trim() ? integer('TEXT_POLL_SECONDS', 1, 3600) : 300,
    },
    runsPollSeconds: integer('RUNS_POLL_SECONDS', 1, 3600),
    trialCalls: integer('TRIAL_CALLS', 1, 1_000_000),
    payPerCall: optional('X402_PAY_TO') ? payPerCall(text, integer) : undefined,
    deviceCodeSeconds: integer('DEVICE_CODE_SECONDS', 5, 86_400),
    contact: text('CONTACT').toLowerCase() === 'none' ? undefined : optional('CONTACT'),
    mailUrl: optional('MAIL_URL'),
    authIssuer: optional('AUTH_ISSUER') && webAddress('AUTH_ISSUER', text('AUTH_ISSUER')),
    signingSecret: optional('SIGNING_SECRET'),
    metricsToken: optional('METRICS_TOKEN'),
    publicUrl: optional('PUBLIC_URL') && webAddress('PUBLIC_URL', text('PUBLIC_URL')).replace(/\/$/, ''),
    allowedOrigins: list('ALLOWED_ORIGINS').map((origin) => webAddress('ALLOWED_ORIGINS', origin).replace(/\/$/, '')),
    trustedProxies: list('TRUSTED_PROXIES').map(network),
    corsOrigins: list('CORS_ORIGINS').map((origin) =>
      origin === '*' ? origin : webAddress('CORS_ORIGINS', origin).replace(/\/$/, ''),
    ),
    edgeCache: oneOf('EDGE_CACHE', text('EDGE_CACHE'), ['true', 'false']) === 'true',
    webhooksPrivate: oneOf('WEBHOOKS_PRIVATE', text('WEBHOOKS_PRIVATE'), ['true', 'false']) === 'true',
    host: text('HOST'),
    port: integer('PORT', 0, 65_535),
    logLevel: oneOf('LOG_LEVEL', text('LOG_LEVEL'), ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    logFormat: oneOf('LOG_FORMAT', text('LOG_FORMAT'), ['auto', 'json', 'text']),
    secrets: secretValues(Object.fromEntries(Object.keys(settings).map((name) => [name, env[name]?.trim()]))),
    drainSeconds: optional('DRAIN_SECONDS') === undefined ? undefined : integer('DRAIN_SECONDS', 0, 600),
    otlpEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT'),
    lineage: optional('OPENLINEAGE_URL')
      ? {
          url: webAddress('OPENLINEAGE_URL', text('OPENLINEAGE_URL')),
          namespace: text('OPENLINEAGE_NAMESPACE'),
          key: optional('OPENLINEAGE_API_KEY'),
        }
      : undefined,
    workerMetricsPort: integer('WORKER_METRICS_PORT', 0, 65_535),
  }
  refuseContradictions(env, config)
  return config
}

/**
 * Applies command-line options that correspond to settings, such as `hexcast start -- --upstream X`, over the
 * environment.
 */
export function withSettings(over: Partial<Record<SettingName, string>>, env: Environment = process.env): Environment {
  return { ...env, ...over }
}

function refuseContradictions(env: Environment, config: Config): void {
  const isSet = (name: SettingName) => Boolean(env[name]?.trim())
  const refuseAlone = (isPart: (name: string) => boolean, other: string) => {
    const alone = (Object.keys(settings) as SettingName[]).find((name) => isPart(name) && isSet(name))
    if (alone) throw invalid(alone, entryOf(env, alone), `set together with ${other}, or removed`)
  }
  if (config.objects.kind !== 's3') refuseAlone((name) => name.startsWith('S3_'), 'OBJECTS_URL=s3://bucket/prefix')
  if (!config.temporal)
    refuseAlone((name) => name.startsWith('TEMPORAL_') && name !== 'TEMPORAL_ADDRESS', 'TEMPORAL_ADDRESS=host:port')
  if (config.kafkaBrokers.length === 0)
    refuseAlone((name) => name.startsWith('KAFKA_') && name !== 'KAFKA_BROKERS', 'KAFKA_BROKERS=host:port')
  if (!config.databaseUrl) refuseAlone((name) => name === 'DATABASE_PASSWORD', 'DATABASE_URL')
  if (isSet('X402_FACILITATOR') && !config.payPerCall) {
    throw invalid('X402_FACILITATOR', entryOf(env, 'X402_FACILITATOR'), 'set together with X402_PAY_TO=0x…, or removed')
  }
  if (config.payPerCall && isSet('X402_NETWORK') && !isSet('X402_ASSET')) {
    throw invalid('X402_NETWORK', entryOf(env, 'X402_NETWORK'), 'set together with X402_ASSET, the token on that chain')
  }
  if (config.upstream === 'live' && !isSet('CONTACT')) {
    throw invalid(
      'CONTACT',
      '',
      'your mail or web address, which NOAA asks for in the User-Agent, or none to send no address',
    )
  }
}

function payPerCall(
  text: (name: SettingName) => string,
  integer: (name: SettingName, least: number, most: number) => number,
): PayPerCall {
  const like = (name: SettingName, form: RegExp, expected: string): string => {
    if (form.test(text(name))) return text(name)
    throw invalid(name, text(name), expected)
  }
  const account = /^0x[0-9a-fA-F]{40}$/
  return {
    payTo: like('X402_PAY_TO', account, 'an address of 0x and 40 hexadecimal digits'),
    facilitator: webAddress('X402_FACILITATOR', text('X402_FACILITATOR')),
    network: like('X402_NETWORK', /^eip155:\d{1,20}$/, 'an EVM chain such as eip155:8453'),
    asset: like('X402_ASSET', account, 'a contract of 0x and 40 hexadecimal digits'),
    assetName: text('X402_ASSET_NAME'),
    assetVersion: text('X402_ASSET_VERSION'),
    price: String(integer('X402_PRICE', 1, Number.MAX_SAFE_INTEGER)),
  }
}
