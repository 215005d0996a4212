import { chmod, chown, copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { entryOf } from '../../ingest/domain/nth.ts'
import { type Authority, makeAuthority, type Pair } from './certificates.ts'
import { freePorts, up } from './native.ts'

const word = () => Math.random().toString(36).slice(2).padEnd(12, 'x')

export interface Certificates {
  readonly ca: Authority
  /** A CA that no server knows. */
  readonly otherCa: Authority
  readonly server: Pair
  readonly expired: Pair
  /** The client certificate of the user hexcast. */
  readonly client: Pair
  readonly strangeClient: Pair
}

export async function makeCertificates(folder: string): Promise<Certificates> {
  await mkdir(folder, { recursive: true })
  const [ca, otherCa] = await Promise.all([makeAuthority(folder, 'ca'), makeAuthority(folder, 'other-ca')])
  // The name of the servers is localhost alone, so that 127.0.0.1 is a wrong name.
  const names = 'DNS:localhost'
  return {
    ca,
    otherCa,
    server: await ca.issue('server', { subject: 'server', names }),
    expired: await ca.issue('expired', { subject: 'server', names, days: -1 }),
    client: await ca.issue('client', { subject: 'hexcast' }),
    strangeClient: await otherCa.issue('strange', { subject: 'hexcast' }),
  }
}

/** Starts PostgreSQL that requires TLS, a password and a client certificate. @returns its URL without a password */
export async function startPostgres(folder: string, { ca, server }: Certificates) {
  const settings = await up(folder, ['postgres'], await freePorts())
  const url = new URL(entryOf(settings, 'DATABASE_URL'))
  const { password } = url
  const data = join(folder, 'postgres')
  const { uid, gid } = await stat(data)
  const place = async (from: string, name: string, mode: number) => {
    await copyFile(from, join(data, name))
    await chown(join(data, name), uid, gid)
    await chmod(join(data, name), mode)
  }
  await place(server.certificate, 'server.crt', 0o644)
  await place(server.key, 'server.key', 0o600)
  await place(ca.certificate, 'root.crt', 0o644)
  await writeFile(
    join(data, 'pg_hba.conf'),
    'host all postgres 127.0.0.1/32 scram-sha-256\nhostssl all hexcast 127.0.0.1/32 scram-sha-256 clientcert=verify-full\n',
  )
  const admin = new pg.Client({ host: '127.0.0.1', port: Number(url.port), user: 'postgres', password })
  await admin.connect()
  for (const [name, value] of [
    ['ssl', 'on'],
    ['ssl_ca_file', 'root.crt'],
  ])
    await admin.query(`alter system set ${name} = '${value}'`)
  await admin.query('select pg_reload_conf()')
  await admin.end()
  return { url: `postgres://hexcast@localhost:${url.port}/hexcast`, password: decodeURIComponent(password) }
}

/**
 * Starts Kafka with four listeners: SASL_SSL, mTLS, one whose certificate has expired, and one without TLS.
 * @returns addresses and the secrets of the user hexcast
 */
export async function startKafka(folder: string, { ca, server, expired }: Certificates) {
  await mkdir(folder, { recursive: true })
  const [ports, more] = [await freePorts(), await freePorts()]
  const [plain, controller] = [ports['KAFKA_PORT'], ports['KAFKA_CONTROLLER_PORT']]
  const [sasl, mutual, old] = [more['KAFKA_PORT'], more['S3_PORT'], more['SQS_PORT']]
  const password = word()
  const security = 'org.apache.kafka.common.security'
  const jaas = {
    plain: `${security}.plain.PlainLoginModule required user_hexcast="${password}";`,
    'scram-sha-256': `${security}.scram.ScramLoginModule required;`,
    'scram-sha-512': `${security}.scram.ScramLoginModule required;`,
    oauthbearer: `${security}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
  }
  const lines = [
    `listeners=PLAINTEXT://127.0.0.1:${plain},CONTROLLER://127.0.0.1:${controller},SASL_SSL://127.0.0.1:${sasl},SSL://127.0.0.1:${mutual},OLD://127.0.0.1:${old}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${plain},SASL_SSL://localhost:${sasl},SSL://localhost:${mutual},OLD://localhost:${old}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,SSL:SSL,OLD:SSL',
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${server.both}`,
    'ssl.truststore.type=PEM',
    `ssl.truststore.location=${ca.certificate}`,
    'listener.name.ssl.ssl.client.auth=required',
    'listener.name.old.ssl.keystore.type=PEM',
    `listener.name.old.ssl.keystore.location=${expired.both}`,
    // The client authenticates again 10 s before the end of this time, so 2.5 s after it has connected.
    'listener.name.sasl_ssl.oauthbearer.connections.max.reauth.ms=12500',
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    ...Object.entries(jaas).map(
      ([mechanism, value]) => `listener.name.sasl_ssl.${mechanism}.sasl.jaas.config=${value}`,
    ),
  ]
  await writeFile(join(folder, 'kafka.more.properties'), `${lines.join('\n')}\n`)
  const users = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
    (mechanism) => `${mechanism}=[name=hexcast,password=${password}]`,
  )
  await writeFile(join(folder, 'kafka.users'), `${users.join('\n')}\n`)
  await up(folder, ['kafka'], ports)
  return {
    password,
    plain: `127.0.0.1:${plain}`,
    sasl: `localhost:${sasl}`,
    wrongName: `127.0.0.1:${sasl}`,
    mutual: `localhost:${mutual}`,
    expired: `localhost:${old}`,
  }
}

/** A token without a signature, which a broker without further settings accepts. */
export function unsignedToken(): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  return `${part({ alg: 'none' })}.${part({ sub: 'hexcast', iat: now - 60, exp: now + 3600 })}.`
}
