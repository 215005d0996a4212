/**
 * Key of the packed public forecast zones of a state (`ingest/geo/shapes.ts`). Simulated and real zones never share a
 * key.
 */
export const publicZonesKey = (simulated: boolean, state: string) =>
  `geo/public-zones${simulated ? '-simulated' : ''}/${state}.zst`

/** Prefix of the feed names of these zones; each state is one feed. */
export const PUBLIC_ZONES = 'zones/'
