import { Fault } from '../../domain/fault.ts'

const allowed = /^[A-Za-z0-9._=-]+(?:\/[A-Za-z0-9._=-]+)*$/

/**
 * Returns the key if every kind of store supports it.
 * @throws Fault `Invalid` otherwise
 */
export function checkKey(key: string): string {
  if (key.length > 900 || !allowed.test(key) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(key)) {
    throw new Fault(
      'Invalid',
      `object key: must have parts of A-Z a-z 0-9 . _ = - with "/" between them, and at most 900 characters, but is "${key}"`,
      {
        key,
      },
    )
  }
  return key
}

export function missingObject(key: string, cause?: unknown): Fault {
  return new Fault('Missing', `object ${key}: the store has no object with this key`, { key }, cause)
}

export function otherBytes(key: string): Fault {
  return new Fault(
    'Corrupt',
    `object ${key}: it is immutable and already exists with other bytes. Write to a new key.`,
    { key },
  )
}
