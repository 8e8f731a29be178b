import { randomUUID } from 'node:crypto'
import { atomically, type Ctx } from '#platform/context.ts'
import { CATALOGUE_TOPIC } from '../catalogue/catalogue-topic.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { formats, type FeedName } from '../formats/all.ts'
import type { FeedFile } from '../formats/format.ts'
import * as store from './load-store.ts'
import { stagedRow, type EntryKind, type Load, type StagedRow } from './staged-rows.ts'

/** A file that is loaded as a whole or not at all. */
export interface FileToLoad {
  readonly feed: FeedName
  readonly part: string
  /** The file is complete: stored records of this part that are not in the file are removed. */
  readonly isWhole: boolean
  /** Unpacked files, one after another. */
  readonly files: AsyncIterable<FeedFile>
  /** Called after reading and before writing; throws to reject the file. */
  readonly check?: () => void
  /** Accepts a file that lost more than half of its records. */
  readonly mayShrink?: boolean
  /** Called after each batch; throws to cancel. */
  readonly onBatch?: (records: number) => Promise<void>
  /** State to store for the file, evaluated at its end. */
  readonly state: () => Omit<store.PartState, 'part'>
}

const BATCH_ROWS = 1_000
const BATCH_LENGTH = 4_194_304
/** A file with less than half of its former records is refused as truncated, if it had at least this many. */
const SHRINKS_FROM = 100
const GENERATIONS_KEPT = 5_000
const NOTHING_LOADED = { records: 0, changed: 0, removed: 0 }

/**
 * Stages the file in a separate table, then applies it in one transaction: readers see the catalogue before or after.
 * Throws a FeedError, with nothing written, when any record is invalid.
 */
export async function loadFile(ctx: Ctx, file: FileToLoad): Promise<store.LoadResult> {
  const load: Load = { id: randomUUID(), feed: file.feed, part: file.part, isWhole: file.isWhole }
  try {
    const kind = await stageAll(ctx, load, file)
    file.check?.()
    await checkSize(ctx, load, file)
    return await atomically(ctx, async (within) => {
      const generation = await store.nextGeneration(within)
      const result = kind ? await store.applyLoad(within, load, kind, generation) : NOTHING_LOADED
      const { part, isWhole } = file
      await store.recordPart(
        within,
        file.feed,
        { part, ...file.state() },
        isWhole ? result.records : undefined,
      )
      await store.deleteLoad(within, load.id)
      await store.deleteOldChanges(within, GENERATIONS_KEPT)
      within.db.afterCommit(CATALOGUE_TOPIC)
      return { generation, ...result }
    })
  } catch (error) {
    await store.deleteLoad(ctx, load.id).catch(() => {})
    throw error
  }
}

/** Returns the kind of the entries, of which each feed has exactly one; undefined: a file that only adds had none. */
async function stageAll(ctx: Ctx, load: Load, file: FileToLoad): Promise<EntryKind | undefined> {
  const format = formats[file.feed]
  let kind: EntryKind | undefined
  let batch = new Map<string, StagedRow>()
  let length = 0
  let records = 0
  const flush = async () => {
    await store.stage(ctx, load, [...batch.values()])
    records += batch.size
    batch = new Map()
    length = 0
    await file.onBatch?.(records)
  }
  for await (const each of file.files) {
    for await (const entry of within(each.name, format.read(each))) {
      const row = stagedRow(entry)
      kind = row.kind
      batch.set(row.key, row)
      length += row.json.length
      if (batch.size >= BATCH_ROWS || length >= BATCH_LENGTH) await flush()
    }
  }
  if (batch.size > 0) await flush()
  if (!kind && file.isWhole) throw new FeedError('the file has no records')
  return kind
}

/** Adds the name of the file in the archive to errors. */
async function* within<T>(name: string, entries: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* entries
  } catch (error) {
    if (error instanceof FeedError && !error.message.startsWith(name))
      throw new FeedError(`${name}: ${error.message}`)
    throw error
  }
}

async function checkSize(ctx: Ctx, load: Load, { isWhole, mayShrink }: FileToLoad): Promise<void> {
  const { staged, before } = await store.sizes(ctx, load)
  if (isWhole && !mayShrink && before >= SHRINKS_FROM && staged < before / 2)
    throw new FeedError(
      `the file has ${staged} records where there were ${before}; if that is right, load it with --may-shrink`,
    )
}
