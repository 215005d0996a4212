import { Fault } from '../../domain/fault.ts'

/**
 * Returns the location codes from the body of `/products/types/T/locations`.
 * @throws Fault Corrupt if the body is not such a document
 */
export function readLocations(text: string, url: string): string[] {
  const { locations } = objectOf(text, url)
  if (typeof locations !== 'object' || locations === null || Array.isArray(locations)) {
    throw new Fault('Corrupt', `${url}: the body must have an object "locations", but has none`)
  }
  return Object.keys(locations).filter((code) => /^[A-Z0-9]{2,4}$/.test(code))
}

function objectOf(text: string, url: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Not JSON: the check below throws.
  }
  throw new Fault(
    'Corrupt',
    `${url}: the body must be a JSON object, but begins with ${JSON.stringify(text.slice(0, 40))}`,
  )
}
