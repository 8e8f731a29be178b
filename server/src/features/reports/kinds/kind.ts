import type { findPlaces } from '#features/records/records.ts'
import { isLimited, type Ctx } from '#platform/context.ts'
import type { Cell, Column, ColumnKind, SectionHead } from '../dataset/dataset.ts'
import type { Period } from '../dataset/period.ts'
import type { ReportType } from '../report.ts'
import type { SimulatedChange } from '../simulation/change.ts'
import type { KeyFigures } from './figures/key-figures.ts'
import type { OpenTable } from '../tables/open-table.ts'

/** Finds where an asset is, by what is recorded or by its address. */
export type Places = Awaited<ReturnType<typeof findPlaces>>

/** Everything that collecting a report may ask. */
export interface Collecting {
  /** Of a transaction that reads one state of the database and writes nothing. */
  readonly ctx: Ctx
  /** The moment that the report shows. */
  readonly asOf: Date
  /** Those that are in it; undefined: all. */
  readonly assetIds: readonly string[] | undefined
  /** The condition that chose them, if one did. */
  readonly where: string | undefined
  /** How many they are. */
  readonly assetCount: number
  /** Undefined: none was given, or it was not understood. */
  readonly period: Period | undefined
  readonly places: Places
  /** Of type `custom`: the report shows what this change would do. */
  readonly simulation?: SimulatedChange | undefined
  /** Of type `custom`: the table that was chosen. */
  readonly table?: OpenTable | undefined
}

/** Whether the report is of some assets alone, so that what is counted over the whole organisation cannot be set against them. */
export const isOfSome = ({ ctx, assetIds }: Pick<Collecting, 'ctx' | 'assetIds'>): boolean =>
  assetIds !== undefined || isLimited(ctx)

/** What stands in the place of such rows. */
export const NOT_OF_SOME = 'It is counted over the whole organisation and not told for a choice of assets.'

/** Rows as they come, by the names of columns; what is missing was not collected. */
export type Rows = AsyncIterable<readonly Readonly<Record<string, Cell | undefined>>[]>

export interface Section extends SectionHead {
  /** Without it the section is left out, and the cover says so. */
  readonly permission?: 'assets:read' | 'vulnerabilities:read' | 'compliance:read' | 'cloud:read'
  readonly rows: Rows
}

/** One of the types of reports: what it consists of. */
export interface ReportKind {
  readonly type: ReportType
  /** The section with which print begins, if that is not the main one; its first rows stand on the cover. */
  readonly leads?: string
  /** What stands on the cover in numbers. */
  readonly figures?: (collecting: Collecting) => KeyFigures | undefined
  /** What who makes the report must be permitted. */
  readonly permissions: readonly ('assets:read' | 'vulnerabilities:read' | 'compliance:read')[]
  /** Some of its tables are of the period that was asked for. */
  readonly isOfPeriod?: true
  /** In print each asset has a sheet, so that there is a limit to them. */
  readonly hasSheets?: true
  /** What the report cannot show, for its cover. */
  readonly notes?: (collecting: Collecting) => Promise<readonly string[]>
  /** The main section first. They are read one after the other, so none may ask anything before its rows are read. */
  readonly sections: (collecting: Collecting) => readonly Section[]
}

/** `columns({ last_seen: ['instant', 'Last seen'] })`; `code`: texts that are words of the API, such as `in_use`. */
export const columns = (
  spec: Readonly<Record<string, readonly [ColumnKind | 'code', string]>>,
): readonly Column[] =>
  Object.entries(spec).map(([name, [kind, title]]) =>
    kind === 'code' ? { name, title, kind: 'text', isCode: true } : { name, title, kind },
  )
