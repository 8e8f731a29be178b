import type { SourceComparison } from '#features/sources/sources.ts'
import type { Column } from './columns/asset-row.ts'
import type { Rejection } from './formats/format.ts'
import type { ImportStatus } from './running/import-status.ts'

/** A file that was brought to be imported, and what came of it. */
export interface Import {
  readonly id: string
  /** The file's name. */
  readonly name: string
  readonly bytes: number
  /** Of the bytes, how many have arrived. */
  readonly received: number
  /** Of the bytes, how many were read by the work that is going on, or was last. */
  readonly bytesRead: number
  readonly status: ImportStatus
  /** Why it failed, or what else a person should know. */
  readonly message: string
  /** Null until it is known. */
  readonly format: string | null
  readonly options: ImportOptions
  /** What it would bring; null until it was looked through. */
  readonly preview: ImportPreview | null
  readonly observed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejectedTotal: number
  /** The first of them. */
  readonly rejected: readonly Rejection[]
  /** Of an export of another inventory, once all of it is imported: what each side missed. */
  readonly comparison: SourceComparison | null
  /** Who did; null when that is not known. */
  readonly startedBy: ImportedBy | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

export interface ImportedBy {
  readonly kind: 'user' | 'api_key' | 'partner_key' | 'system'
  readonly id: string
  readonly name?: string
  readonly address?: string
}

/** What people chose. */
export interface ImportOptions {
  /** Of a table: what each column is, null for what is left out. */
  readonly columns?: readonly (Column | null)[] | undefined
  /** Of a list of software: the thing that it is of, by its id or its name. */
  readonly assetId?: string | undefined
  readonly host?: string | undefined
  /** Of a package list: the system, such as `debian:12`. */
  readonly os?: string | undefined
  /** Of prices that come without one, ISO 4217. */
  readonly currency?: string | undefined
}

export interface ImportPreview {
  /** Why nothing can be taken as it is; absent when something can. */
  readonly problem?: { readonly field: string; readonly message: string }
  /** Rows that would be taken, or entries of a list of software. */
  readonly rows: number
  readonly rejectedTotal: number
  readonly rejected: readonly Rejection[]
  readonly isDocument: boolean
  /** Of a table. */
  readonly columns?: readonly PreviewColumn[]
  readonly sample: readonly SampleRow[]
  /** What a list of software says that it is of; absent when it does not say. */
  readonly subject?: string
}

export interface PreviewColumn {
  readonly title: string
  /** Null: left out. */
  readonly column: Column | null
  readonly examples: readonly string[]
}

export interface SampleRow {
  readonly line: number
  readonly name?: string
  readonly type?: string
  readonly version?: string
  readonly identifiers: readonly string[]
}
