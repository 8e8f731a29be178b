import { createHash, randomUUID, type Hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/context.ts'
import { conflict } from '#platform/errors.ts'
import { FeedError } from './feed-error.ts'
import type { FeedName } from '../formats/all.ts'
import type { FeedFile } from '../formats/format.ts'
import { wholeText } from '../formats/lines.ts'
import * as feedsStore from './feeds-store.ts'
import { fetchFeed, type Fetched } from './download-feed.ts'
import { loadFile } from '../loading/load-file.ts'
import { recordPart, type PartState, type LoadResult } from '../loading/load-store.ts'
import { upstreams } from '../upstreams/all.ts'
import { HOUR_MS, type Download, type DownloadContext, type Upstream } from '../upstreams/upstream.ts'
import { unpack } from '../loading/unpack.ts'

/** Counts of one sync. */
export interface SyncSummary {
  readonly files: number
  readonly unchanged: number
  readonly records: number
  readonly changed: number
  readonly removed: number
}

export interface SyncOptions {
  readonly onProgress?: (progress: feedsStore.Progress) => void
  readonly signal?: AbortSignal
  /** Waits between attempts, for tests. */
  readonly waitMs?: readonly number[]
}

export const API_KEY_CONTEXT = 'advisory_feeds.api_key'
const SMALL_BYTES_MAX = 134_217_728
/** After a failure: a quarter of an hour, then twice as long each time, up to a day. */
const RETRY_MS = 900_000
const DAY_MS = 24 * HOUR_MS
const ERROR_LENGTH_MAX = 1_000
const PROGRESS_INTERVAL_MS = 1_000
const LEASE_RENEWAL_MS = 15_000

/** State of a running sync. */
interface Run {
  readonly ctx: Ctx
  readonly upstream: Upstream
  readonly lease: string
  readonly options: SyncOptions
  readonly parts: ReadonlyMap<string, PartState & { readonly syncedAt: Date }>
}

/**
 * Downloads and loads the new files of a feed one by one; loaded files stay loaded when a later one fails. Throws
 * a FeedError, which is stored with the feed, or a Refusal when another process syncs it.
 */
export async function runSync(system: Ctx, name: FeedName, options: SyncOptions = {}): Promise<SyncSummary> {
  const upstream = upstreams[name]
  if (upstream.base === undefined)
    throw conflict(`${name} cannot be fetched as it is published; load a file of it`)
  const lease = randomUUID()
  if (!(await feedsStore.lease(system, name, lease)))
    throw conflict(`${name} is being synced by another process`)
  const heartbeat = setInterval(() => {
    feedsStore.extendLease(system, name, lease).catch(() => {}) // the next one may do better
  }, LEASE_RENEWAL_MS)
  try {
    const synced = await loadAll(system, { upstream, lease, options })
    const nextAt = new Date(system.now().getTime() + upstream.everyHours * HOUR_MS)
    await feedsStore.release(system, name, lease, { nextAt })
    return synced
  } catch (error) {
    await recordFailure(system, name, lease, error)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

async function recordFailure(system: Ctx, name: FeedName, lease: string, error: unknown): Promise<void> {
  const failures = (await feedsStore.feedRows(system)).find((it) => it.name === name)?.failures ?? 0
  const wait = Math.min(RETRY_MS * 2 ** failures, DAY_MS)
  const message = error instanceof FeedError ? error.message : 'the feed could not be taken; the log says why'
  if (!(error instanceof FeedError)) system.log.error({ err: error, feed: name }, 'feed')
  const nextAt = new Date(system.now().getTime() + wait)
  await feedsStore.release(system, name, lease, { error: message.slice(0, ERROR_LENGTH_MAX), nextAt })
}

async function loadAll(ctx: Ctx, base: Pick<Run, 'upstream' | 'lease' | 'options'>): Promise<SyncSummary> {
  const known = await feedsStore.partsOf(ctx, base.upstream.name)
  const parts = new Map(known.map((it) => [it.part, { ...it, syncedAt: new Date(it.syncedAt) }]))
  const run: Run = { ...base, ctx, parts }
  const sum = { files: 0, unchanged: 0, records: 0, changed: 0, removed: 0 }
  let missing = 0
  for await (const download of base.upstream.plan(await downloadContext(run))) {
    const result = await runDownload(run, download)
    if (result === 'missing') missing++
    else if (result === 'unchanged') sum.unchanged++
    else {
      sum.files++
      sum.records += result.records
      sum.changed += result.changed
      sum.removed += result.removed
    }
  }
  // Some files may be missing; if all are, the address is wrong.
  if (missing > 0 && sum.files + sum.unchanged === 0) throw new FeedError('none of the files is there')
  return sum
}

async function downloadContext(run: Run): Promise<DownloadContext> {
  const { ctx, upstream, parts } = run
  const { mirrorUrl, apiKey } = await feedsStore.access(ctx, upstream.name)
  const base = mirrorUrl ?? upstream.base ?? ''
  return {
    now: ctx.now(),
    base: base.endsWith('/') ? base : `${base}/`,
    isMirrored: mirrorUrl !== null,
    ...(apiKey && { apiKey: ctx.seal.open(apiKey, API_KEY_CONTEXT) }),
    parts,
    text: (url) => smallFile(run, url),
  }
}

async function smallFile(run: Run, url: string): Promise<string | undefined> {
  const fetched = await fetchOf(run, { url })
  return fetched.outcome === 'new' ? wholeText(fetched.content, SMALL_BYTES_MAX) : undefined
}

const fetchOf = ({ ctx, options }: Run, wanted: Parameters<typeof fetchFeed>[1]): Promise<Fetched> =>
  fetchFeed(ctx, {
    ...wanted,
    ...(options.signal && { signal: options.signal }),
    ...(options.waitMs && { waitMs: options.waitMs }),
  })

async function runDownload(run: Run, download: Download): Promise<LoadResult | 'unchanged' | 'missing'> {
  const known = run.parts.get(download.part)
  const [url = '', ...others] = download.urls
  if (others.length > 0)
    return loadFiles(run, download, { files: severalFiles(run, download), fetched: undefined })
  await sleep(download.paceMs ?? 0)
  const validators = download.isWhole && known ? { etag: known.etag, lastModified: known.lastModified } : {}
  const fetched = await fetchOf(run, {
    url,
    ...validators,
    ...(download.headers && { headers: download.headers }),
  })
  if (fetched.outcome === 'missing') {
    if (download.mayBeMissing) return 'missing'
    throw new FeedError(`${url}: there is no such file`)
  }
  if (fetched.outcome === 'unchanged') {
    if (known) await recordPart(run.ctx, run.upstream.name, { ...known, ...positionOf(download) })
    return 'unchanged'
  }
  const name = new URL(url).pathname.split('/').pop() ?? ''
  const counted = { bytes: 0 }
  const files = unpack({ name, content: counting(fetched.content, counted) })
  return loadFiles(run, download, { files, fetched, counted })
}

interface Incoming {
  readonly files: AsyncIterable<FeedFile>
  readonly fetched: Extract<Fetched, { readonly outcome: 'new' }> | undefined
  readonly counted?: { readonly bytes: number }
}

async function loadFiles(
  run: Run,
  download: Download,
  { files, fetched, counted }: Incoming,
): Promise<LoadResult> {
  const { ctx, upstream, lease, options } = run
  const hash = download.sha256 === undefined ? undefined : createHash('sha256')
  let reportedAt = 0
  return loadFile(ctx, {
    feed: upstream.name,
    part: download.part,
    isWhole: download.isWhole,
    files: hash ? hashed(files, hash) : files,
    check: () => checkHash(download, hash),
    state: () => ({
      etag: fetched?.etag ?? null,
      lastModified: fetched?.lastModified ?? null,
      checksum: download.sha256 ?? null,
      ...positionOf(download),
    }),
    async onBatch(records) {
      options.signal?.throwIfAborted()
      const progress = {
        part: download.part,
        records,
        bytes: counted?.bytes ?? 0,
        bytesTotal: fetched?.bytesTotal ?? null,
      }
      options.onProgress?.(progress)
      if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return
      reportedAt = performance.now()
      if (!(await feedsStore.renew(ctx, upstream.name, lease, progress)))
        throw new FeedError('another process has taken over')
    },
  })
}

const positionOf = ({ position }: Download): { position: string | null } => ({ position: position ?? null })

function checkHash({ sha256, urls }: Download, hash: Hash | undefined): void {
  if (hash && hash.digest('hex') !== sha256) throw new FeedError(`${urls[0]}: the checksum does not fit`)
}

/** Missing files are skipped: records withdrawn since the list was made. */
async function* severalFiles(run: Run, download: Download): AsyncIterable<FeedFile> {
  for (const url of download.urls) {
    const fetched = await fetchOf(run, { url, ...(download.headers && { headers: download.headers }) })
    const name = new URL(url).pathname.split('/').pop() ?? ''
    if (fetched.outcome === 'new') yield* unpack({ name, content: fetched.content })
  }
}

async function* counting(content: AsyncIterable<Buffer>, counted: { bytes: number }): AsyncIterable<Buffer> {
  for await (const chunk of content) {
    counted.bytes += chunk.length
    yield chunk
  }
}

async function* hashed(files: AsyncIterable<FeedFile>, hash: Hash): AsyncIterable<FeedFile> {
  for await (const { name, content } of files) yield { name, content: throughHash(content, hash) }
}

async function* throughHash(content: AsyncIterable<Buffer>, hash: Hash): AsyncIterable<Buffer> {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}
