import type { Advisory, KevEntry, Lifecycle, EpssScore } from '../advisory.ts'

/** One record of a feed. */
export type Entry =
  | { readonly advisory: Advisory }
  | { readonly exploited: KevEntry }
  | { readonly likelihood: EpssScore }
  | { readonly lifecycle: Lifecycle }

/** An unpacked file of a feed. */
export interface FeedFile {
  /** Path of the file; some feeds have metadata in it. */
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

/** Reads the files of one feed. Without network and database access. */
export interface FeedFormat {
  /**
   * Yields the records. Throws a FeedError that names the record when the file is invalid; then nothing of the file
   * is loaded.
   */
  readonly read: (file: FeedFile) => AsyncIterable<Entry>
}
