export type Cell = string | number | null

/** A column of a table; times are ISO 8601 in UTC, which binary forms write as timestamps. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'time'
  readonly unit: string | null
}

export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}
