import type { ServiceStatus } from './service-status.ts'

/** Returns sources that are late, stale or without new data, each with the reason, for the detail of readiness. */
export function lateSources(document: ServiceStatus | undefined): string[] {
  return (document?.datasets ?? [])
    .filter(
      ({ kind, state, silent_since: silent }) =>
        silent !== null || (kind === 'frame' && (state === 'late' || state === 'stale')),
    )
    .map(({ dataset_id: id, domain, state, last_failures: [failure] }) => {
      const reason = failure && failure.run === null ? `: ${failure.detail}` : ''
      return `${domain === null ? id : `${id}/${domain}`}: ${state}${reason}`
    })
}
