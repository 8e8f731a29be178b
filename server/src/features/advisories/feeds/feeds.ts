import { record } from '#features/audit/audit.ts'
import { isOnlyTenant } from '#features/tenancy/tenancy.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound, Refusal } from '#platform/errors.ts'
import { FeedError } from './feed-error.ts'
import type { FeedName } from '../formats/all.ts'
import * as store from './feeds-store.ts'
import { loadFile } from '../loading/load-file.ts'
import { deleteOldLoads, type LoadResult } from '../loading/load-store.ts'
import { upstreams } from '../upstreams/all.ts'
import { API_KEY_CONTEXT, runSync, type SyncSummary, type SyncOptions } from './sync-feed.ts'
import { filePart } from '../loading/partial-file-names.ts'
import { unpack } from '../loading/unpack.ts'

export type { Progress } from './feeds-store.ts'

/** One feed with its settings and state. */
export interface Feed extends Omit<store.FeedRow, 'name'> {
  readonly name: string
  readonly title: string
  /** Must be displayed with the feed's data. */
  readonly attribution: string
  /** False when its files can only be loaded manually. */
  readonly isFetchable: boolean
  /** Seconds since the last successful sync. */
  readonly ageSeconds: number | null
}

export const feedNames = Object.keys(upstreams) as readonly FeedName[]

/** All feeds, including those never used. */
export async function listFeeds(ctx: Ctx): Promise<readonly Feed[]> {
  permit(ctx, 'feeds:read')
  const rows = new Map((await store.feedRows(ctx)).map((it) => [it.name, it]))
  return feedNames.map((name) => feedFrom(ctx, name, rows.get(name) ?? { ...UNUSED, name }))
}

const UNUSED: Omit<store.FeedRow, 'name'> = {
  isEnabled: false,
  mirrorUrl: null,
  startedAt: null,
  syncedAt: null,
  nextAt: null,
  failures: 0,
  lastError: null,
  progress: null,
  isRunning: false,
  isRequested: false,
  records: 0,
  isSample: false,
}

/**
 * As of when the data of the feeds in use is, in RFC 3339: the oldest sync of those that are enabled, else of those that
 * were loaded from files and never fetched. Null: none is in use, or one never came. Needs no permission, as the catalogue.
 */
export async function feedsReadAt(ctx: Ctx): Promise<string | null> {
  const rows = await store.feedRows(ctx)
  const enabled = rows.filter(({ isEnabled }) => isEnabled)
  const inUse = enabled.length > 0 ? enabled : rows.filter((it) => it.records > 0 && it.startedAt === null)
  const read = inUse.map(({ syncedAt }) => syncedAt)
  return read.includes(null)
    ? null
    : (read.toSorted((a, b) => Date.parse(a ?? '') - Date.parse(b ?? ''))[0] ?? null)
}

function feedFrom(ctx: Ctx, name: FeedName, row: store.FeedRow): Feed {
  const { title, attribution, base } = upstreams[name]
  const ageSeconds =
    row.syncedAt === null
      ? null
      : Math.max(0, Math.round((ctx.now().getTime() - Date.parse(row.syncedAt)) / 1_000))
  return { ...row, title, attribution, isFetchable: base !== undefined, ageSeconds }
}

/** Enables or disables regular fetching. No request is made for a feed that was never enabled. */
export async function setFeedEnabled(ctx: Ctx, name: string, isEnabled: boolean): Promise<Feed> {
  permit(ctx, 'feeds:write')
  await requireOnlyTenant(ctx)
  const feed = known(name)
  if (isEnabled && upstreams[feed].base === undefined)
    throw conflict(`${feed} cannot be fetched as it is published; load a file of it`)
  await atomically(ctx, async (within) => {
    await store.setEnabled(within, feed, isEnabled)
    await note(within, isEnabled ? 'feed.enabled' : 'feed.disabled', feed)
  })
  return one(ctx, feed)
}

/** Requests a sync, which the next free process starts. */
export async function requestFeedSync(ctx: Ctx, name: string): Promise<Feed> {
  permit(ctx, 'feeds:write')
  await requireOnlyTenant(ctx)
  const feed = known(name)
  if (upstreams[feed].base === undefined)
    throw conflict(`${feed} cannot be fetched as it is published; load a file of it`)
  await atomically(ctx, async (within) => {
    await store.requestSync(within, feed)
    await note(within, 'feed.sync_requested', feed)
  })
  return one(ctx, feed)
}

/** Syncs the feed now, in this process. For the command line. */
export async function syncFeed(system: Ctx, name: string, options: SyncOptions = {}): Promise<SyncSummary> {
  permit(system, 'feeds:write')
  try {
    return await runSync(system, known(name), options)
  } catch (error) {
    if (error instanceof FeedError) throw new Refusal(502, 'feed_failed', `${name}: ${error.message}`)
    throw error
  }
}

export interface FileOfFeed {
  readonly feed: string
  /** File name; some feeds have metadata in it. */
  readonly name: string
  readonly content: AsyncIterable<Buffer>
  /** The file is the complete part of this name, whatever its file name. */
  readonly part?: string
  readonly mayShrink?: boolean
}

/** Loads a local file of a feed, for installations without network. For the command line. */
export async function loadFeedFile(system: Ctx, file: FileOfFeed): Promise<LoadResult> {
  permit(system, 'feeds:write')
  const feed = known(file.feed)
  const target = file.part ? { part: file.part, isWhole: true } : filePart(feed, file.name)
  try {
    const result = await loadFile(system, {
      feed,
      ...target,
      files: unpack({ name: file.name, content: file.content }),
      ...(file.mayShrink && { mayShrink: true }),
      state: () => ({ etag: null, lastModified: null, checksum: null, position: null }),
    })
    await store.recordManualLoad(system, feed)
    return result
  } catch (error) {
    if (error instanceof FeedError) throw invalid('file', error.message)
    throw error
  }
}

/** Sets a feed's mirror URL and API key. For the command line. */
export async function setFeedAccess(
  system: Ctx,
  name: string,
  { mirrorUrl, apiKey }: { readonly mirrorUrl?: string | null; readonly apiKey?: string | null },
): Promise<Feed> {
  permit(system, 'feeds:write')
  const feed = known(name)
  const url = mirrorUrl ? URL.parse(mirrorUrl) : null
  if (mirrorUrl && (!url || !/^https?:$/.test(url.protocol) || url.username !== ''))
    throw invalid('mirror', 'must be an http or https address without a password')
  await store.setAccess(system, feed, {
    ...(mirrorUrl !== undefined && { mirrorUrl: url?.href ?? null }),
    ...(apiKey !== undefined && {
      apiKey: apiKey === null ? null : system.seal.seal(apiKey, API_KEY_CONTEXT),
    }),
  })
  return one(system, feed)
}

/**
 * Fetches, one after another, the feeds that are due or were asked for. A failed feed is retried when it is due again.
 */
export async function syncDueFeeds(system: Ctx, options: SyncOptions = {}): Promise<void> {
  await deleteOldLoads(system)
  for (const name of await store.dueFeeds(system)) {
    await runSync(system, name, options).catch((error: unknown) => {
      if (!(error instanceof FeedError) && !(error instanceof Refusal)) throw error
      system.log.warn({ feed: name, reason: error.message }, 'feed not synced')
    })
  }
}

async function one(ctx: Ctx, name: FeedName): Promise<Feed> {
  const row = (await store.feedRows(ctx)).find((it) => it.name === name)
  return feedFrom(ctx, name, row ?? { ...UNUSED, name })
}

function known(name: string): FeedName {
  const found = feedNames.find((it) => it === name)
  if (!found) throw notFound('feed')
  return found
}

/** The catalogue is shared by all tenants: only the sole tenant of an installation, or the system, may change feeds. */
async function requireOnlyTenant(ctx: Ctx): Promise<void> {
  if (ctx.actor.kind === 'system' || (await isOnlyTenant(ctx))) return
  throw forbidden(
    'feeds are shared by all organisations of this server; its operator sets them with the command `rollcall feeds`',
  )
}

/** Commands run outside of any tenant and have no tenant's audit log. */
async function note(ctx: Ctx, action: string, feed: FeedName): Promise<void> {
  if (ctx.actor.kind !== 'system') await record(ctx, action, { type: 'feed', id: feed })
}
