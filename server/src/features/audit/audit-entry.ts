import type { Page } from '#platform/http/paging.ts'

export interface AuditEntry {
  readonly id: number
  readonly at: string
  readonly actor: {
    readonly kind: string
    readonly id: string
    /** Name at the time of the entry: e-mail address of a person, name of a key. */
    readonly name: string | null
  }
  /** Client address; null for actions of the product itself. */
  readonly address: string | null
  /** `noun.happened`, for example `api_key.revoked`. */
  readonly action: string
  readonly subject: Subject
  readonly details: Details
}

export interface Subject {
  readonly type: string
  /** Empty for a bulk action: then `subjects` in the details has the `id` and `name` of each. */
  readonly id: string
}

/**
 * A change as `before` and `after`; never a secret. `name` is the name of the subject at the time, so that the entry can
 * be read after the subject is deleted.
 */
export type Details = Readonly<Record<string, unknown>>

/** Filters are combined by AND. */
export interface AuditSearch extends Page {
  readonly actorId?: string
  /** An action, or with a trailing dot a prefix: `api_key.`. */
  readonly action?: string
  readonly subjectType?: string
  readonly subjectId?: string
  /** Substring of any part of the entry, case-insensitive. */
  readonly text?: string
  /** RFC 3339, inclusive. */
  readonly from?: string
  /** RFC 3339, exclusive. */
  readonly until?: string
}

/**
 * A link of the hash chain, to be stored outside the installation, so that later changes of earlier entries can be
 * detected.
 */
export interface Anchor {
  readonly seq: number
  /** SHA-256 in hexadecimal. */
  readonly hash: string
}

export interface Verification {
  readonly entries: number
  /** The last link; undefined for an empty log. */
  readonly head: Anchor | undefined
  /** At most the first hundred faults; empty when the log is intact. */
  readonly faults: readonly string[]
}
