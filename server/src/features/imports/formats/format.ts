import type { Observation } from '#features/assets/observation.ts'
import type { Column, CustomCells, RecordCells } from '../columns/asset-row.ts'

/** A kind of file that can be imported: turns bytes into observations. It knows no database and no tenant. */
export interface Format {
  /** As in `--format`, and the kind of the source that the observations come from. */
  readonly kind: 'csv' | 'nmap-xml' | 'snipe-it' | 'netbox' | 'lansweeper' | 'fleet'
  /** The one source of all files of this format, so that a row found in two files is one sighting, not two. */
  readonly sourceName: string
  /** An export of another inventory: what came of it is compared with what is known here. */
  readonly isInventory?: true
  /** Told by how the file begins (at most `HEAD_LENGTH` characters). */
  readonly recognises: (head: string) => boolean
  /**
   * Reads UTF-8 without byte order mark, some rows at a time, in memory that does not grow with the file. Throws a `Refusal` when the
   * whole file cannot be taken; a row that cannot is a `Rejection`, and reading goes on behind it.
   */
  readonly read: (content: AsyncIterable<Buffer>, terms: ReadingTerms) => AsyncIterable<readonly Reading[]>
}

export interface ReadingTerms {
  /** Stands in where the file does not say when a thing was seen; nothing can have been seen later. */
  readonly now: Date
  /** Leaves out what the format has no meaning for, instead of refusing it. */
  readonly ignoreUnknown: boolean
  /** What each cell of a table's row is, null for what is left out; told from the header unless given. */
  readonly columns?: readonly (Column | null)[] | undefined
  /** Of prices that come without one, ISO 4217. Unless it is given they are left out, or rejected where they are cells of a table. */
  readonly currency?: string | undefined
}

export type Reading = Row | Rejection

/** `line` is the physical line, from 1, on which the row begins. */
export interface Row {
  readonly line: number
  readonly observation: Observation
  /** What a table says of the asset's record, as it stands in the file. */
  readonly recorded?: RecordCells | undefined
  /** What a table says of custom fields, as it stands in the file. */
  readonly custom?: CustomCells | undefined
}

export interface Rejection {
  readonly line: number
  /** The column or element at fault. */
  readonly field: string
  readonly message: string
}

export const HEAD_LENGTH = 4096
