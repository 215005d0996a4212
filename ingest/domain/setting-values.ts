import { isIP } from 'node:net'
import { Fault } from './fault.ts'

/** Returns whether a setting is a secret. */
const isSecret = (name: string): boolean => /SECRET|TOKEN|API_KEY|PASSWORD/.test(name)
/** Settings with an address that may contain a password. */
const holdsPassword: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'MAIL_URL',
  'UPSTREAM',
  'OPENLINEAGE_URL',
  'S3_ENDPOINT',
])

/** Whether a setting can also be given as the path of a file with its value: secrets, and addresses with a password. */
export const takesFile = (name: string): boolean =>
  isSecret(name) || holdsPassword.has(name) || name === 'AWS_ACCESS_KEY_ID'

/** Returns the secrets among the settings: tokens, keys and passwords. No log line may contain them. */
export function secretValues(settings: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (!value) return []
    if (isSecret(name)) return [value]
    if (!holdsPassword.has(name) || !URL.canParse(value)) return []
    const { password } = new URL(value)
    return password ? [password, decodedPassword(password)] : []
  })
}

function decodedPassword(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

/** Parses the value of UPSTREAM. */
export function upstream(value: string): 'auto' | 'live' | 'simulated' | URL {
  if (value === 'auto' || value === 'live' || value === 'simulated') return value
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return new URL(value)
  throw invalid('UPSTREAM', value, 'auto, live, simulated, or the address of a mirror such as http://127.0.0.1:9000')
}

/** Maximum number of mirror addresses of a bucket; each may cost a timeout. */
const MAX_MIRRORS = 4

/** Validates an IP address, or a network in CIDR notation. */
export function network(text: string): string {
  const [address = '', prefix, extra] = text.split('/')
  const family = isIP(address)
  const bits = family === 6 ? 128 : 32
  const isLength = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  if (family === 0 || !isLength || extra !== undefined)
    throw invalid('TRUSTED_PROXIES', text, 'addresses or networks such as 10.0.0.0/8 or 2001:db8::/32')
  return text
}

export function bucketMirrors(entries: readonly string[]): Record<string, string[]> {
  const mirrors: Record<string, string[]> = {}
  for (const entry of entries) {
    const at = entry.indexOf('=')
    const [bucket, address] = [entry.slice(0, at), entry.slice(at + 1).replace(/(?<!\/)\/+$/, '')]
    if (at < 0 || !/^[a-z0-9][a-z0-9.-]{2,62}$/.test(bucket) || !/^https?:\/\//.test(address) || !URL.canParse(address))
      throw invalid(
        'MODEL_MIRRORS',
        entry,
        'BUCKET=ADDRESS, such as noaa-hrrr-bdp-pds=https://storage.googleapis.com/high-resolution-rapid-refresh',
      )
    const list = (mirrors[`https://${bucket}.s3.amazonaws.com`] ??= [])
    if (list.push(address) > MAX_MIRRORS)
      throw invalid('MODEL_MIRRORS', entry, `one of at most ${MAX_MIRRORS} addresses of a bucket`)
  }
  return mirrors
}

export function webAddress(name: string, value: string): string {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value
  throw invalid(name, value, 'an address such as https://example.org')
}

export function hostPort(name: string, value: string): string {
  if (/^[^\s:/]+:\d{1,5}$|^\[[0-9a-f:]+\]:\d{1,5}$/i.test(value)) return value
  throw invalid(name, value, 'host:port, such as 127.0.0.1:9092')
}

export function oneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === value)
  if (word !== undefined) return word
  throw invalid(name, value, `one of ${words.join(', ')}`)
}

export function invalid(name: string, value: string, expected: string): Fault {
  const secret = !name.endsWith('_FILE') && (isSecret(name) || holdsPassword.has(name))
  return new Fault(
    'Invalid',
    `setting ${name} is ${secret ? '(hidden)' : `"${value}"`}, but must be ${expected}. Change it and start again.`,
    {
      setting: name,
    },
  )
}
