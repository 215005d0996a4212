import { createHash, randomBytes } from 'node:crypto'

const pattern = /^hx_(live|trial)_[A-Za-z0-9_-]{43}$/

export interface Secret {
  /** The whole key, which is shown once and stored nowhere. */
  readonly key: string
  /** `hx_live_` and eight characters. */
  readonly prefix: string
  readonly hash: Buffer
}

/** Creates a key of 256 random bits. */
export function newSecret(kind: 'live' | 'trial'): Secret {
  const key = `hx_${kind}_${randomBytes(32).toString('base64url')}`
  return { key, prefix: prefixOf(key), hash: hashOf(key) }
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function prefixOf(key: string): string {
  return key.slice(0, key.indexOf('_', 3) + 9)
}

export function isKeyShaped(text: string): boolean {
  return pattern.test(text)
}
