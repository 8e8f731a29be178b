import type { SoftwareReport } from '#features/assets/observation.ts'
import type { Rejection } from '../formats/format.ts'

/** A kind of file that lists the software of one thing. It knows no database and no tenant. */
export interface DocumentFormat {
  /** As in `--format`, and the kind of the source that the observation comes from. */
  readonly kind: 'cyclonedx' | 'spdx' | 'dpkg-list' | 'rpm-list' | 'apk-list'
  /** Told by how the file begins (at most `HEAD_LENGTH` characters). */
  readonly recognises: (head: string) => boolean
  /** Throws a `Refusal` when the file cannot be taken; an entry that cannot is a `Rejection`. */
  readonly read: (text: string) => SoftwareDocument
}

export interface SoftwareDocument {
  /** What the file says it is of. */
  readonly subject?: Subject
  readonly report: SoftwareReport
  readonly rejected: readonly Rejection[]
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
