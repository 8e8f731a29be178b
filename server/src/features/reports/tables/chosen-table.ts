/** What a row of a custom report is. */
export const tableRows = ['assets', 'findings', 'software'] as const
export type TableRows = (typeof tableRows)[number]

/** The table of a custom report, put together of fields that conditions ask about. */
export interface ChosenTable {
  /** `software`: a row for each asset and each piece of software that it has. */
  readonly rows: TableRows
  /** Names of fields; those of the asset of a finding or of software begin with `asset.`. */
  readonly columns: readonly string[]
  /** A field: rows with the same value stand together, and how many they are is a table of its own. */
  readonly groupBy?: string
  /** A field, with `-` before it the greatest first. Unless given: by the name of the asset. */
  readonly sortBy?: string
  /** Of findings: a condition on them. */
  readonly where?: string
}

/** As a caller gives it; what is empty is absent. */
export interface TableInput {
  readonly rows?: string | null | undefined
  readonly columns: readonly string[]
  readonly groupBy?: string | null | undefined
  readonly sortBy?: string | null | undefined
  readonly where?: string | null | undefined
}

/** `sortBy` as a field and a direction. */
export const orderOf = (sortBy: string): { readonly name: string; readonly isDescending: boolean } =>
  sortBy.startsWith('-')
    ? { name: sortBy.slice(1), isDescending: true }
    : { name: sortBy, isDescending: false }
