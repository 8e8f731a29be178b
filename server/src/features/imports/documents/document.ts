import type { SoftwareReport } from '#features/assets/observation.ts'
import type { RejectionSummary } from '../running/rejections.ts'

/** A kind of file that lists the software of one thing. It knows no database and no tenant. */
export interface DocumentFormat {
  /** As in `--format`, and the kind of the source that the observation comes from. */
  readonly kind: 'cyclonedx' | 'spdx' | 'dpkg-list' | 'rpm-list' | 'apk-list'
  /** Told by how the file begins (at most `HEAD_LENGTH` characters). */
  readonly recognises: (head: string) => boolean
  /**
   * Reads UTF-8 without byte order mark, in memory that grows with what is kept of the file. Throws a `Refusal` when
   * the file cannot be taken; an entry that cannot is a `Rejection`.
   */
  readonly read: (content: Content) => Promise<SoftwareDocument>
}

/** The bytes of a file, from the beginning each time it is called. */
export type Content = () => AsyncIterable<Buffer>

export interface SoftwareDocument {
  /** What the file says it is of. */
  readonly subject?: Subject
  readonly report: SoftwareReport
  readonly rejections: RejectionSummary
}

export interface Subject {
  readonly name: string
  /** A machine or its system, not a product that may run on many. */
  readonly isMachine: boolean
}

/** More than any of them has; what is beyond is rejected. */
export const ENTRIES_MAX = 50_000
const SHOWN_LENGTH = 40

/** For messages. */
export const shown = (value: string): string =>
  JSON.stringify(value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value)

/** The first character that is no white space. */
export async function firstSign(content: Content): Promise<string> {
  for await (const chunk of content()) {
    const sign = chunk.toString('latin1').trimStart()[0]
    if (sign !== undefined) return sign
  }
  return ''
}
