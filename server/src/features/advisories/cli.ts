import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import {
  feedNames,
  listFeeds,
  loadFeedFile,
  setFeedAccess,
  setFeedEnabled,
  syncDueFeeds,
  syncFeed,
  type Feed,
  type Progress,
} from './feeds/feeds.ts'

const names = feedNames.join(', ')

export const commands: readonly Command[] = [
  {
    path: 'feeds status',
    help: 'all vulnerability feeds: whether enabled, age of the data, last error',
    async run(ctx) {
      const feeds = await listFeeds(ctx)
      return { json: feeds.map(feedJson), text: [...feeds.map(feedLine), '', ...notices(feeds)].join('\n') }
    },
  },
  {
    path: 'feeds enable',
    args: ['name'],
    help: `fetches the feed regularly from now on; one of ${names}`,
    run: async (ctx, { args }) => feedResult(await setFeedEnabled(ctx, args['name'] ?? '', true)),
  },
  {
    path: 'feeds disable',
    args: ['name'],
    help: 'stops fetching the feed; its records stay',
    run: async (ctx, { args }) => feedResult(await setFeedEnabled(ctx, args['name'] ?? '', false)),
  },
  {
    path: 'feeds sync',
    args: ['name?'],
    help: 'fetches one feed now; without a name, all that are enabled and due',
    async run(ctx, { args }) {
      const { name } = args
      if (name === undefined) {
        await syncDueFeeds(ctx, { onProgress: showProgress })
        const feeds = await listFeeds(ctx)
        return {
          json: feeds.map(feedJson),
          text: feeds
            .filter((it) => it.isEnabled)
            .map(feedLine)
            .join('\n'),
        }
      }
      const synced = await syncFeed(ctx, name, { onProgress: showProgress })
      const { files, unchanged, records, changed, removed } = synced
      const text = `${name}: ${files} files taken, ${unchanged} as before; ${records} records, ${changed} changed, ${removed} removed`
      return { json: synced, text }
    },
  },
  {
    path: 'feeds load',
    args: ['name', 'file'],
    options: {
      part: { value: 'PART', help: 'the file is the complete part of this name, such as PyPI of osv' },
      'may-shrink': { flag: true, help: 'accept a file with less than half of the former records' },
    },
    help: 'loads a local file of a feed, without network: plain, .gz, .zst, .zip or .tar',
    run: loadCommand,
  },
  {
    path: 'feeds set',
    args: ['name'],
    options: {
      mirror: { value: 'URL', help: 'base URL of a mirror; an empty text for the public address' },
      'key-file': { value: 'FILE', help: 'contains the key of the NVD API; it is stored encrypted' },
    },
    help: 'where a feed is fetched from',
    async run(ctx, { args, options }) {
      const { mirror, 'key-file': keyFile } = options
      const feed = await setFeedAccess(ctx, args['name'] ?? '', {
        ...(typeof mirror === 'string' && { mirrorUrl: mirror === '' ? null : mirror }),
        ...(typeof keyFile === 'string' && { apiKey: await keyIn(keyFile) }),
      })
      return feedResult(feed)
    },
  },
]

async function loadCommand(
  ctx: Parameters<Command['run']>[0],
  { args, options }: CommandInput,
): Promise<CommandResult> {
  const { name = '', file: path = '' } = args
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw invalid('file', `${path} cannot be read (${error.code})`)
  })
  const { part } = options
  const loaded = await loadFeedFile(ctx, {
    feed: name,
    name: basename(path),
    content: file.createReadStream() as AsyncIterable<Buffer>,
    ...(typeof part === 'string' && { part }),
    mayShrink: options['may-shrink'] === true,
  })
  const { records, changed, removed } = loaded
  return {
    json: loaded,
    text: `${basename(path)}: ${records} records, ${changed} changed, ${removed} removed`,
  }
}

async function keyIn(path: string): Promise<string | null> {
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw invalid('key-file', `${path} cannot be read (${error.code})`)
  })
  return (await file.readFile('utf8')).trim() || null
}

/** Updates one line on a terminal. */
function showProgress({ part, records, bytes, bytesTotal }: Progress): void {
  const { stderr } = process
  const share = bytesTotal ? ` ${Math.floor((100 * bytes) / bytesTotal)} %` : ''
  if (stderr.isTTY) stderr.write(`\r\x1b[K${part}: ${records} records${share}`)
}

const feedResult = (feed: Feed): CommandResult => ({ json: feedJson(feed), text: feedLine(feed) })

const feedJson = (feed: Feed) => ({
  name: feed.name,
  title: feed.title,
  enabled: feed.isEnabled,
  mirror: feed.mirrorUrl,
  records: feed.records,
  age_seconds: feed.ageSeconds,
  synced_at: feed.syncedAt,
  next_at: feed.nextAt,
  running: feed.isRunning,
  progress: feed.progress,
  last_error: feed.lastError,
  attribution: feed.attribution,
})

function feedLine(feed: Feed): string {
  const state = feed.isRunning ? 'running' : feed.isEnabled ? 'on' : 'off'
  const age = feed.ageSeconds === null ? 'never' : `${ageOf(feed.ageSeconds)} old`
  const error = feed.lastError === null ? '' : `  ${feed.lastError}`
  return `${feed.name.padEnd(12)} ${state.padEnd(8)} ${age.padEnd(14)} ${String(feed.records).padStart(8)} records${error}`
}

function ageOf(seconds: number): string {
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(seconds / 86_400)} days`
}

const notices = (feeds: readonly Feed[]): string[] =>
  feeds.filter((it) => it.records > 0 || it.isEnabled).map((it) => it.attribution)
