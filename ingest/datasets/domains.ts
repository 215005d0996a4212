import type { Domain } from '../domain/dataset/dataset.ts'

/** Boxes around the 50 states and DC with their territorial sea. Only cells that are inside the box, the cover and the grid have values. */
export const conus: Domain = { id: 'conus', bbox: [-126, 23.8, -66, 50], nativeKm: 2.5 }
export const alaska: Domain = { id: 'alaska', bbox: [171, 50.5, -129.5, 72], nativeKm: 3 }
export const hawaii: Domain = { id: 'hawaii', bbox: [-179, 18.3, -154, 29], nativeKm: 2.5 }
