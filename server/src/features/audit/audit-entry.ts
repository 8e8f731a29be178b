import type { Page } from '#platform/http/paging.ts'

export interface AuditEntry {
  readonly id: number
  readonly at: string
  readonly actor: {
    readonly kind: string
    readonly id: string
    /** As it was at the time: an address of a person, the name of a key. */
    readonly name: string | null
  }
  /** The client address; null for the product itself. */
  readonly address: string | null
  /** `noun.happened`, for example `api_key.revoked`. */
  readonly action: string
  readonly subject: Subject
  readonly details: Details
}

export interface Subject {
  readonly type: string
  /** Empty when one action was about many: then `subjects` in the details have the `id` and `name` of each. */
  readonly id: string
}

/**
 * What else a reader should know, a change as `before` and `after`; never a secret. `name` is how people called the
 * subject at the time, so that the entry can be read when the subject is gone.
 */
export type Details = Readonly<Record<string, unknown>>

/** All that is given must fit. */
export interface AuditSearch extends Page {
  readonly actorId?: string
  /** An action, or with a dot at its end all that begin so: `api_key.`. */
  readonly action?: string
  readonly subjectType?: string
  readonly subjectId?: string
  /** Stands somewhere in the entry, whatever its case. */
  readonly text?: string
  /** RFC 3339, inclusive. */
  readonly from?: string
  /** RFC 3339, exclusive. */
  readonly until?: string
}

/** A link of the chain, to be noted outside the installation: whatever comes before it can no more be changed unseen. */
export interface Anchor {
  readonly seq: number
  /** SHA-256 in hexadecimal. */
  readonly hash: string
}

export interface Verification {
  readonly entries: number
  /** The last link; undefined while nothing is written. */
  readonly head: Anchor | undefined
  /** What does not fit, at most the first hundred; empty when the log is as it was written. */
  readonly faults: readonly string[]
}
