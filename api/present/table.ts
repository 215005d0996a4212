export type TableCell = string | number | null

/** A column of a table. Times are ISO 8601 in UTC; binary forms write them as timestamps. */
export interface TableColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'time'
  readonly unit: string | null
}

export interface Table {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly TableCell[])[]
}

/**
 * Lets other requests proceed if this turn of the event loop has been long. It is awaited between pieces of a long
 * computation.
 */
export type Pause = () => Promise<void> | undefined

/** Number of cells between two pauses, which take 5 to 15 ms to write. */
export const CELLS_PER_PIECE = 32_768

/** Number of rows between two pauses. */
export const rowsPerPiece = (columns: number): number => Math.max(1, Math.floor(CELLS_PER_PIECE / columns))
