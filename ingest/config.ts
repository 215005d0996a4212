import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { MAX_HISTORY_DAYS } from './domain/dataset/history.ts'
import {
  bucketMirrors,
  databaseUrl,
  hostPort,
  invalid,
  network,
  oneOf,
  secretValues,
  upstream,
  webAddress,
} from './domain/setting-values.ts'

/** Every setting of the environment: default, meaning, parser. README and docs are generated from it. */
export const settings = {
  DATABASE_URL: ['', 'PostgreSQL with PostGIS; unset: embedded PostGIS under DATA_DIR'],
  DATABASE_POOL: ['8', 'connections of one process to PostgreSQL'],
  OBJECTS_URL: ['', 's3://bucket/prefix, or a folder; unset: DATA_DIR/objects'],
  S3_ENDPOINT: ['', 'another S3 server than Amazon’s'],
  AWS_REGION: ['us-east-1', 'region of the bucket and of the upstream queues'],
  AWS_ACCESS_KEY_ID: ['', 'credentials of the bucket; unset: the usual AWS chain'],
  AWS_SECRET_ACCESS_KEY: ['', 'see AWS_ACCESS_KEY_ID'],
  AWS_SESSION_TOKEN: ['', 'see AWS_ACCESS_KEY_ID'],
  OBJECTS_CACHE: ['', 'folder of the read-through cache before S3; unset: DATA_DIR/cache/objects'],
  OBJECTS_CACHE_MB: ['2048', 'limit of that cache; 0 switches it off'],
  KAFKA_BROKERS: ['', 'host:port,…; unset: events stay in process'],
  TEMPORAL_ADDRESS: ['', 'host:port; unset: the embedded queue'],
  TEMPORAL_NAMESPACE: ['default', 'namespace at TEMPORAL_ADDRESS'],
  UPSTREAM: ['auto', 'auto, live, simulated, or the URL of a mirror'],
  MODEL_MIRRORS: [
    'noaa-hrrr-bdp-pds=https://storage.googleapis.com/high-resolution-rapid-refresh,noaa-nbm-grib2-pds=https://storage.googleapis.com/national-blend-of-models,noaa-gfs-bdp-pds=https://storage.googleapis.com/global-forecast-system',
    'BUCKET=ADDRESS,…: where the same keys are while a bucket of model runs fails or is late; off: none',
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
    'ids of the datasets to take, separated by commas, the same for all processes; -ID leaves a dataset out; what is left out is not missing from answers; unset: all that upstream has',
  ],
  HISTORY_DAYS: [
    '2',
    'days for which answers can be asked again by as_of, 0 to 60; a day of all datasets takes 75 GB of objects',
  ],
  H3_RESOLUTION: ['7', 'resolution of the model cells'],
  ALERTS_POLL_SECONDS: ['30', 'seconds between reads of the alert feed'],
  METAR_POLL_SECONDS: ['60', 'seconds between reads of the METAR cache'],
  AIRNOW_POLL_SECONDS: ['600', "seconds between reads of AirNow's hourly files"],
  TEXT_POLL_SECONDS: ['60', 'seconds between reads of the lists of text products'],
  RUNS_POLL_SECONDS: ['60', 'seconds between looks for new runs'],
  TRIAL_CALLS: ['500', 'counted calls after which a trial key ends in 402'],
  X402_PAY_TO: ['', 'address that is paid for single calls without a key (x402); unset: switched off'],
  X402_FACILITATOR: ['', 'URL of the x402 facilitator that checks and settles payments; needed beside X402_PAY_TO'],
  X402_NETWORK: ['eip155:8453', 'chain of the payments, by CAIP-2'],
  X402_ASSET: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'contract of the token on it: USDC on Base'],
  X402_ASSET_NAME: ['USD Coin', 'name of the token in what payers sign (EIP-712)'],
  X402_ASSET_VERSION: ['2', 'its version there'],
  X402_PRICE: ['1000', 'price of a call in the token’s smallest unit'],
  DEVICE_CODE_SECONDS: ['600', 'life of a device code'],
  CONTACT: [
    '',
    'mail or web address of whoever runs this, sent to NOAA in the User-Agent; required with UPSTREAM=live; none: send no address',
  ],
  MAIL_URL: ['', 'smtp://… for mails; unset: the embedded outbox'],
  AUTH_ISSUER: ['', 'an outside OpenID issuer; unset: our own'],
  METRICS_TOKEN: ['', 'Bearer token for /metrics from elsewhere than loopback'],
  PUBLIC_URL: ['', 'the public address, behind a proxy'],
  ALLOWED_ORIGINS: ['', 'further Origins that the tool server accepts, separated by commas'],
  TRUSTED_PROXIES: [
    '',
    'Addresses and networks of proxies before the API, separated by commas, such as 10.0.0.0/8: X-Forwarded-For of their connections names the client; with PUBLIC_URL loopback is trusted too',
  ],
  CORS_ORIGINS: ['', 'Origins of browsers that may read /v1/*, separated by commas; * allows all'],
  WEBHOOKS_PRIVATE: ['false', 'true: webhooks may call this machine, by http too'],
  HOST: ['127.0.0.1', 'address to listen on'],
  PORT: ['8080', 'port to listen on'],
  LOG_LEVEL: ['info', 'trace, debug, info, warn, error, fatal or silent'],
  LOG_FORMAT: [
    'auto',
    'json: one JSON object a line; text: lines for people; auto: text on a terminal, otherwise json',
  ],
  DRAIN_SECONDS: [
    '',
    'seconds from the signal to end until the API refuses connections, during which /readyz is 503 and everything is answered; unset: 5, and 0 on a terminal',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['', 'address to which traces are sent; unset: traces are off'],
  OPENLINEAGE_URL: ['', 'address for OpenLineage events of model runs (at /api/v1/lineage); unset: off'],
  OPENLINEAGE_NAMESPACE: ['hexcast', 'OpenLineage namespace of jobs and outputs'],
  OPENLINEAGE_API_KEY: ['', 'Bearer token for OPENLINEAGE_URL'],
  WORKER_METRICS_PORT: ['0', 'port of a worker’s /metrics and /healthz on HOST; 0: none'],
} as const satisfies Record<string, readonly [fallback: string, meaning: string]>

export type SettingName = keyof typeof settings

export interface S3Place {
  readonly kind: 's3'
  readonly bucket: string
  /** Without leading and trailing slashes; may be empty. */
  readonly prefix: string
  readonly endpoint?: string
  readonly region: string
  readonly credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
  readonly cache?: { readonly folder: string; readonly bytes: number }
}

export interface FolderPlace {
  readonly kind: 'folder'
  readonly folder: string
}

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

export interface Config {
  /** Absolute. */
  readonly dataDir: string
  /** Default: the embedded database. */
  readonly databaseUrl?: string
  readonly databasePool: number
  readonly objects: FolderPlace | S3Place
  /** Kafka brokers; if empty, events stay in process. */
  readonly kafkaBrokers: readonly string[]
  readonly temporal?: { readonly address: string; readonly namespace: string }
  readonly upstream: 'auto' | 'live' | 'simulated' | URL
  readonly bucketMirrors: Readonly<Record<string, readonly string[]>>
  readonly secondSources: { readonly alerts?: readonly string[]; readonly metar: string }
  readonly upstreamQueueUrls: readonly string[]
  readonly awsRegion: string
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
  /** Absent: switched off. */
  readonly payPerCall?: PayPerCall
  readonly deviceCodeSeconds: number
  readonly contact?: string
  readonly mailUrl?: string
  readonly authIssuer?: string
  readonly metricsToken?: string
  readonly publicUrl?: string
  readonly allowedOrigins: readonly string[]
  /** Addresses and networks. */
  readonly trustedProxies: readonly string[]
  /** Allowed origins, or `*` for every origin. */
  readonly corsOrigins: readonly string[]
  /** Whether webhooks may call this machine. */
  readonly webhooksPrivate: boolean
  readonly host: string
  readonly port: number
  readonly logLevel: string
  readonly logFormat: 'auto' | 'json' | 'text'
  /** Secrets among the settings, which no log line may contain. */
  readonly secrets: readonly string[]
  /** Undefined: the default, which depends on the terminal. */
  readonly drainSeconds?: number
  readonly otlpEndpoint?: string
  /** Absent: switched off. */
  readonly lineage?: { readonly url: string; readonly namespace: string; readonly key?: string }
  readonly workerMetricsPort: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment once, at the start of a command. @throws Fault Invalid that names the setting, its value and a valid one */
export function loadConfig(env: Environment = process.env): Config {
  const text = (name: SettingName): string => (env[name] ?? '').trim() || settings[name][0]
  const optional = (name: SettingName): string | undefined => text(name) || undefined
  const whole = (name: SettingName, least: number, most: number): number => {
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

  const dataDir = resolve(text('DATA_DIR').replace(/^~(?=\/|$)/, homedir()))
  const config: Config = {
    dataDir,
    databaseUrl: databaseUrl(optional('DATABASE_URL')),
    databasePool: whole('DATABASE_POOL', 1, 200),
    objects: objectsPlace(text, whole, dataDir),
    kafkaBrokers: list('KAFKA_BROKERS').map((broker) => hostPort('KAFKA_BROKERS', broker)),
    temporal: optional('TEMPORAL_ADDRESS')
      ? { address: hostPort('TEMPORAL_ADDRESS', text('TEMPORAL_ADDRESS')), namespace: text('TEMPORAL_NAMESPACE') }
      : undefined,
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
    datasets: list('DATASETS'),
    historyDays: whole('HISTORY_DAYS', 0, MAX_HISTORY_DAYS),
    h3Resolution: whole('H3_RESOLUTION', 3, 8),
    alertsPollSeconds: whole('ALERTS_POLL_SECONDS', 1, 3600),
    feedPollSeconds: {
      'nws-alerts': whole('ALERTS_POLL_SECONDS', 1, 3600),
      metar: whole('METAR_POLL_SECONDS', 1, 3600),
      airnow: whole('AIRNOW_POLL_SECONDS', 1, 3600),
      'nws-texts': whole('TEXT_POLL_SECONDS', 1, 3600),
      // Each of 300 stations issues these twice a day, so they are polled every five minutes unless set.
      'climate-reports': env['TEXT_POLL_SECONDS']?.trim() ? whole('TEXT_POLL_SECONDS', 1, 3600) : 300,
    },
    runsPollSeconds: whole('RUNS_POLL_SECONDS', 1, 3600),
    trialCalls: whole('TRIAL_CALLS', 1, 1_000_000),
    payPerCall: optional('X402_PAY_TO') ? payPerCall(text, whole) : undefined,
    deviceCodeSeconds: whole('DEVICE_CODE_SECONDS', 5, 86_400),
    contact: text('CONTACT').toLowerCase() === 'none' ? undefined : optional('CONTACT'),
    mailUrl: optional('MAIL_URL'),
    authIssuer: optional('AUTH_ISSUER') && webAddress('AUTH_ISSUER', text('AUTH_ISSUER')),
    metricsToken: optional('METRICS_TOKEN'),
    publicUrl: optional('PUBLIC_URL') && webAddress('PUBLIC_URL', text('PUBLIC_URL')).replace(/\/$/, ''),
    allowedOrigins: list('ALLOWED_ORIGINS').map((origin) => webAddress('ALLOWED_ORIGINS', origin).replace(/\/$/, '')),
    trustedProxies: list('TRUSTED_PROXIES').map(network),
    corsOrigins: list('CORS_ORIGINS').map((origin) =>
      origin === '*' ? origin : webAddress('CORS_ORIGINS', origin).replace(/\/$/, ''),
    ),
    webhooksPrivate: oneOf('WEBHOOKS_PRIVATE', text('WEBHOOKS_PRIVATE'), ['true', 'false']) === 'true',
    host: text('HOST'),
    port: whole('PORT', 0, 65_535),
    logLevel: oneOf('LOG_LEVEL', text('LOG_LEVEL'), ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    logFormat: oneOf('LOG_FORMAT', text('LOG_FORMAT'), ['auto', 'json', 'text']),
    secrets: secretValues(Object.fromEntries(Object.keys(settings).map((name) => [name, env[name]?.trim()]))),
    drainSeconds: optional('DRAIN_SECONDS') === undefined ? undefined : whole('DRAIN_SECONDS', 0, 600),
    otlpEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT'),
    lineage: optional('OPENLINEAGE_URL')
      ? {
          url: webAddress('OPENLINEAGE_URL', text('OPENLINEAGE_URL')),
          namespace: text('OPENLINEAGE_NAMESPACE'),
          key: optional('OPENLINEAGE_API_KEY'),
        }
      : undefined,
    workerMetricsPort: whole('WORKER_METRICS_PORT', 0, 65_535),
  }
  refuseContradictions(env, config)
  return config
}

/** `hexcast start -- --upstream X`: options that correspond to a setting override the environment. */
export function withSettings(over: Partial<Record<SettingName, string>>, env: Environment = process.env): Environment {
  return { ...env, ...over }
}

function refuseContradictions(env: Environment, config: Config): void {
  const given = (name: SettingName) => Boolean(env[name]?.trim())
  if (given('S3_ENDPOINT') && config.objects.kind !== 's3') {
    throw invalid('S3_ENDPOINT', env['S3_ENDPOINT']!, 'set together with OBJECTS_URL=s3://bucket/prefix, or removed')
  }
  if (given('TEMPORAL_NAMESPACE') && !config.temporal) {
    throw invalid(
      'TEMPORAL_NAMESPACE',
      env['TEMPORAL_NAMESPACE']!,
      'set together with TEMPORAL_ADDRESS=host:port, or removed',
    )
  }
  if (given('X402_FACILITATOR') && !config.payPerCall) {
    throw invalid('X402_FACILITATOR', env['X402_FACILITATOR']!, 'set together with X402_PAY_TO=0x…, or removed')
  }
  if (config.payPerCall && given('X402_NETWORK') && !given('X402_ASSET')) {
    throw invalid('X402_NETWORK', env['X402_NETWORK']!, 'set together with X402_ASSET, the token on that chain')
  }
  if (config.upstream === 'live' && !given('CONTACT')) {
    throw invalid(
      'CONTACT',
      '',
      'your mail or web address, which NOAA asks for in the User-Agent, or none to send no address',
    )
  }
  if (given('AWS_ACCESS_KEY_ID') !== given('AWS_SECRET_ACCESS_KEY')) {
    const lone = given('AWS_ACCESS_KEY_ID') ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY'
    throw invalid(lone, '(hidden)', 'set together with the other of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
}

function payPerCall(
  text: (name: SettingName) => string,
  whole: (name: SettingName, least: number, most: number) => number,
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
    price: String(whole('X402_PRICE', 1, Number.MAX_SAFE_INTEGER)),
  }
}

function objectsPlace(
  text: (name: SettingName) => string,
  whole: (name: SettingName, least: number, most: number) => number,
  dataDir: string,
): FolderPlace | S3Place {
  const place = text('OBJECTS_URL')
  // A letter and a colon may be a drive.
  if (!/^[a-z0-9]{2,}:/i.test(place))
    return { kind: 'folder', folder: place ? resolve(place) : join(dataDir, 'objects') }
  if (place.startsWith('file://')) return { kind: 'folder', folder: decodeURIComponent(new URL(place).pathname) }
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{2,62})(?:\/(.*))?$/.exec(place)
  if (!parts)
    throw invalid('OBJECTS_URL', place, 's3://bucket/prefix (bucket names have 3 to 63 characters) or a folder')
  const key = text('AWS_ACCESS_KEY_ID')
  const megabytes = whole('OBJECTS_CACHE_MB', 0, 10_000_000)
  return {
    kind: 's3',
    bucket: parts[1]!,
    prefix: (parts[2] ?? '').replace(/^\/+|(?<!\/)\/+$/g, ''),
    endpoint: text('S3_ENDPOINT') ? webAddress('S3_ENDPOINT', text('S3_ENDPOINT')) : undefined,
    region: text('AWS_REGION'),
    credentials: key
      ? {
          accessKeyId: key,
          secretAccessKey: text('AWS_SECRET_ACCESS_KEY'),
          sessionToken: text('AWS_SESSION_TOKEN') || undefined,
        }
      : undefined,
    cache: megabytes
      ? { folder: resolve(text('OBJECTS_CACHE') || join(dataDir, 'cache', 'objects')), bytes: megabytes * 1_048_576 }
      : undefined,
  }
}
