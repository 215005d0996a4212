/** Phases by the files of their functions; the first match applies. */
const phases: readonly [phase: string, file: RegExp][] = [
  ['collector of garbage', /^\(garbage/],
  ['start of processes, native code', /^\((program|root)|^node$/],
  ['event loop: sockets, files, messages', /^node:/],
  ['database', /database|^sql\//],
  ['cell cover and grid mappings', /grid\/mapping|domain\/cell|tile\/cover|h3/],
  ['fetch', /fetch-file|ports\/upstream|ports\/http/],
  ['decode', /grib2-wasm|ingest\/decode/],
  ['sample', /grid\/(sampler|sample|kernels|means|check)/],
  ['encode slabs', /slab/],
  ['build tiles', /tile\/|build-tiles/],
  ['validate', /validate|roughness|run-change/],
  ['publish', /publish|grid-run|outbox/],
  ['answer', /^api\//],
  ['steps and schedules', /^workers\/|^ingest\/steps/],
  ['start of processes, native code', /^bin\//],
]

/** @param name file and function, as in the profile */
export function phaseOf(name: string): string {
  return phases.find(([, file]) => file.test(name))?.[0] ?? 'other'
}
