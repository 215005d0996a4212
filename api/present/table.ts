export type TableCell = string | number | null

/** A column of a table; times are ISO 8601 in UTC, which binary forms write as timestamps. */
export interface TableColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'time'
  readonly unit: string | null
}

export interface Table {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly TableCell[])[]
}

/** Lets other requests in where this turn of the event loop was long; awaited between pieces of a long computation. */
export type Pause = () => Promise<void> | undefined

/** Cells between two pauses: 5 to 15 ms of writing. */
export const CELLS_PER_PIECE = 32_768

/** Rows between two pauses. */
export const rowsPerPiece = (columns: number): number => Math.max(1, Math.floor(CELLS_PER_PIECE / columns))
