import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * Encrypts a payload with the secret of its record (AES-256-GCM). The table stores only the hash of the secret, so that a copy of the
 * table is not enough to read it.
 */
export function seal(secret: string, payload: object): { sealed: string } {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(payload)), cipher.final()])
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64') }
}

/** Decrypts a sealed payload; undefined if it was not sealed with this secret. */
export function unseal(
  secret: string,
  payload: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (typeof payload['sealed'] !== 'string') return undefined
  const bytes = Buffer.from(payload['sealed'], 'base64')
  if (bytes.length < 28) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString())
  } catch {
    return undefined
  }
}

/** Derives the key of the cipher, by another derivation than the stored hash. */
const keyOf = (secret: string) => createHash('sha256').update('seal ').update(secret).digest()
