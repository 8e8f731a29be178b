import { record } from '#features/audit/audit.ts'
import type { SourceComparison } from '#features/sources/sources.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import type { DocumentTerms } from './running/document-import.ts'
import { columnNamed, headerByName, type Header } from './columns/header.ts'
import { rememberedHeader } from './columns/column-mapping.ts'
import { readInThread } from './parsing/reader-worker.ts'
import { formatKinds, type FormatKind } from './parsing/reading.ts'
import type { Rejection } from './formats/format.ts'
import * as store from './store.ts'
import { tableHead, withHead } from './columns/table-head.ts'
import { comparisonOf } from './running/comparison.ts'
import { newTally, takePieces } from './running/import-batches.ts'
import { invalid } from '#platform/errors.ts'
import { checkedCurrency } from './columns/currency.ts'

export interface FileToImport extends DocumentTerms {
  /** For the audit log and the list of imports. */
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
  /** One of `formatNames`; told from the content unless given. */
  readonly format?: string | undefined
  /** Leaves unknown columns out instead of refusing the file. */
  readonly ignoreUnknown?: boolean
  /** Of prices that come without one, ISO 4217. */
  readonly currency?: string | undefined
  /** What titles of a table mean: `[title, column]`, an empty column leaves it out. */
  readonly columns?: readonly (readonly [title: string, column: string])[] | undefined
}

export interface ImportResult {
  /** Rows that were taken. */
  readonly observed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Of what was not taken the first, in the order of the file. */
  readonly rejected: readonly Rejection[]
  /** How much was not taken. */
  readonly rejectedTotal: number
  /** Of an export of another inventory: what each side missed. */
  readonly comparison?: SourceComparison
  /** What else a person should know. */
  readonly message?: string
}

export const formatNames: readonly string[] = formatKinds

/**
 * Imports a file at once, as it is read: every good row is taken, and of the bad ones the first are listed. Refuses
 * the whole file only when it cannot be understood at all, before anything was taken. Batches are committed one by
 * one: what a crash cuts short, the same file completes.
 */
export async function importFile(ctx: Ctx, file: FileToImport): Promise<ImportResult> {
  permit(ctx, 'imports:write')
  const format = formatNamed(file.format)
  const { head, content } = await withHead(file.content)
  const table = await tableHead(head, format)
  const header = table && (await headerOf(ctx, table.titles, file))
  const now = ctx.now()
  const terms = {
    now,
    format,
    ignoreUnknown: file.ignoreUnknown ?? false,
    ...(header && { columns: header }),
    currency: checkedCurrency(file.currency),
  }
  const tally = newTally()
  let bytes = 0
  const counted = async function* (): AsyncIterable<Uint8Array> {
    for await (const chunk of content) {
      bytes += chunk.length
      yield chunk
    }
  }
  const { assetId, host, os } = file
  await takePieces(ctx, readInThread(counted(), terms), {
    name: file.name,
    tally,
    terms: { assetId, host, os, seenAt: now },
  })
  const { observed, created, updated, unchanged, rejections } = tally
  const { rejected, rejectedTotal } = rejections
  const { comparison, message } = await comparisonOf(ctx, tally)
  const result = {
    observed,
    created,
    updated,
    unchanged,
    rejected,
    rejectedTotal,
    ...(comparison && { comparison }),
    ...(message !== '' && { message }),
  }
  await noteFinished(ctx, { ...result, name: file.name, bytes, format: tally.format ?? '' })
  return result
}

function noteFinished(ctx: Ctx, done: store.Finished): Promise<void> {
  return atomically(ctx, async (inner) => {
    const { id } = await store.addFinished(inner, done)
    const { name, format, observed, created, updated, unchanged, rejectedTotal } = done
    await record(
      inner,
      'import.finished',
      { type: 'import', id },
      { file: name, format, observed, created, updated, unchanged, rejected: rejectedTotal },
    )
  })
}

/** As said for this file, else as people said in the app of a table with these titles, else by the columns' names. */
async function headerOf(ctx: Ctx, titles: readonly string[], file: FileToImport): Promise<Header> {
  const remembered = file.columns ? undefined : await rememberedHeader(ctx, titles)
  if (remembered) return remembered
  const said = new Map(file.columns?.map(([title, name]) => [title, columnNamed(name)]))
  const unknown = [...said.keys()].find((title) => !titles.includes(title))
  if (unknown !== undefined) throw invalid('columns', `the header has no ${JSON.stringify(unknown)}`)
  return headerByName(titles, file.ignoreUnknown ?? false, said)
}

function formatNamed(name: string | undefined): FormatKind | undefined {
  if (name === undefined) return undefined
  const format = formatKinds.find((kind) => kind === name)
  if (!format) throw invalid('format', `is none of ${formatNames.join(', ')}`)
  return format
}
