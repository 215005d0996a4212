/** GRIB edition 2: messages from octets, and numbers from messages. See README.md. */

export type { Samples } from './decode.ts'
export { GribError, type GribFaultKind } from './fault.ts'
export type { Earth } from './grid/earth.ts'
export type { Grid } from './grid/grid.ts'
export { type Memory, memory } from './kernels.ts'
export { Message } from './message.ts'
export {
  type FieldHeader,
  type OctetSource,
  type ReadOptions,
  readMessages,
  readMessagesFrom,
  type WalkOptions,
  type WholeMessage,
  walkMessages,
} from './messages.ts'
export { type Packing, packingName } from './packing.ts'
export type { Range } from './product/interval.ts'
export type { Level, Surface } from './product/level.ts'
export type { Product } from './product/product.ts'
export type { Constituent, Derived, Ensemble, Probability, Spatial } from './product/template.ts'
export type { MessageFault } from './walk.ts'
