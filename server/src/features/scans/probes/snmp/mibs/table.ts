import { oid, type Oid } from '../protocol/oid.ts'
import type { Value } from '../protocol/pdu.ts'

/** Some columns of a conceptual table (RFC 2578, 7.1.12). */
export interface Table<Column extends string> {
  readonly name: string
  readonly entry: Oid
  /** By the number of the column below the entry. */
  readonly columns: Readonly<Record<Column, number>>
  readonly rowsMax: number
}

export interface Row<Column extends string> {
  /** What follows the column's number: it says which thing the row is about. */
  readonly index: Oid
  readonly cells: Cells<Column>
}

export type Cells<Column extends string> = { readonly [column in Column]?: Value }

const ROWS_MAX = 4_096

export function table<Column extends string>(
  name: string,
  entry: string,
  columns: Readonly<Record<Column, number>>,
  rowsMax: number = ROWS_MAX,
): Table<Column> {
  return { name, entry: oid(entry), columns, rowsMax }
}

/** A table of which not everything was read. */
export interface Cut {
  readonly table: string
  readonly why: string
  readonly rows: number
}

/** All that the readers of MIBs need. Neither throws for what a device does wrong: that is noted as a cut. */
export interface Source {
  readonly scalars: <Name extends string>(
    group: string,
    oids: Readonly<Record<Name, string>>,
  ) => Promise<Cells<Name>>
  readonly rows: <Column extends string>(table: Table<Column>) => Promise<readonly Row<Column>[]>
  readonly isCut: (table: string) => boolean
}
