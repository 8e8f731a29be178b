import type { FeedName } from '../formats/all.ts'
import type { PartState } from '../loading/load-store.ts'

/** Where a feed is published: address, attribution, interval, and which files to download. */
export interface Upstream {
  readonly name: FeedName
  readonly title: string
  /** Owner and licence, displayed with the data. */
  readonly attribution: string
  /** Public base URL, which a mirror may replace; absent when its files cannot be downloaded directly. */
  readonly base?: string
  readonly everyHours: number
  /** The files to download now, in order. Each is loaded before the next is requested. */
  readonly plan: (context: DownloadContext) => AsyncIterable<Download>
}

/** Input of an upstream's plan. */
export interface DownloadContext {
  readonly now: Date
  /** Base URL of the upstream or its mirror, with a trailing slash. */
  readonly base: string
  readonly isMirrored: boolean
  readonly apiKey?: string
  /** State of files loaded before. */
  readonly parts: ReadonlyMap<string, PartState & { readonly syncedAt: Date }>
  /** Downloads a small text file; undefined when it does not exist. */
  readonly text: (url: string) => Promise<string | undefined>
}

/** One file to download and load, or several small ones loaded as one. */
export interface Download {
  readonly part: string
  readonly urls: readonly string[]
  /** See `FileToLoad`. */
  readonly isWhole: boolean
  /** SHA-256 in hexadecimal of the unpacked content, as published by the upstream. */
  readonly sha256?: string
  /** Stored once the file is loaded. */
  readonly position?: string
  /** A missing file is not an error. */
  readonly mayBeMissing?: true
  /** Additional request headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Delay before each request in milliseconds, for upstreams with rate limits. */
  readonly paceMs?: number
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** One file that is always the whole feed. */
export const oneFile = (path: string) =>
  async function* (context: DownloadContext): AsyncIterable<Download> {
    yield { part: 'all', urls: [new URL(path, context.base).href], isWhole: true }
  }
