import type { FeedName } from '../formats/all.ts'
import type { PartState } from '../loading/load-store.ts'

/** Where a feed comes from, and which of its files are wanted when. */
export interface Upstream {
  readonly name: FeedName
  readonly title: string
  /** Whose it is and on what terms, to be shown with what is made of it. */
  readonly attribution: string
  /** Its public address, which a mirror may stand in for; absent where its files cannot be fetched as they are. */
  readonly base?: string
  readonly everyHours: number
  /** The files that are wanted now, in their order. Each is taken before the next is asked for. */
  readonly plan: (context: DownloadContext) => AsyncIterable<Download>
}

/** What a plan may look at. */
export interface DownloadContext {
  readonly now: Date
  /** Address of the upstream or of its mirror, with a slash at its end. */
  readonly base: string
  readonly isMirrored: boolean
  readonly apiKey?: string
  /** Files as they were taken before. */
  readonly parts: ReadonlyMap<string, PartState & { readonly syncedAt: Date }>
  /** A small file, read at once; undefined when there is none. */
  readonly text: (url: string) => Promise<string | undefined>
}

/** One file to fetch and take, or several small ones that are taken as one. */
export interface Download {
  readonly part: string
  readonly urls: readonly string[]
  /** See `FileToLoad`. */
  readonly isWhole: boolean
  /** SHA-256 in hexadecimal of the unpacked content, as the upstream tells it. */
  readonly sha256?: string
  /** Remembered once it is taken. */
  readonly position?: string
  /** That there is no such file is no fault. */
  readonly mayBeMissing?: true
  /** Beside the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
  /** To be waited before each request, for upstreams that count them. */
  readonly paceMs?: number
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** One file that is always the whole feed. */
export const oneFile = (path: string) =>
  async function* (context: DownloadContext): AsyncIterable<Download> {
    yield { part: 'all', urls: [new URL(path, context.base).href], isWhole: true }
  }
