import type { Advisory, KevEntry, Lifecycle, EpssScore } from '../advisory.ts'

/** One thing that a feed says. */
export type Entry =
  | { readonly advisory: Advisory }
  | { readonly exploited: KevEntry }
  | { readonly likelihood: EpssScore }
  | { readonly lifecycle: Lifecycle }

/** An unpacked file of a feed. */
export interface FeedFile {
  /** Its path: some feeds say there what the content is about. */
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

/** How the files of one feed are read: no network, no database. */
export interface FeedFormat {
  /** Throws a FeedError that names the record when the file is not sound; nothing of it is taken then. */
  readonly read: (file: FeedFile) => AsyncIterable<Entry>
}
