/** A file that people attached to an asset or a contract. */
export interface Attachment {
  readonly id: string
  /** Either an asset or a contract. */
  readonly assetId: string | null
  readonly contractId: string | null
  /** Safe as the name of a file. */
  readonly name: string
  readonly bytes: number
  /** How many bytes have arrived. */
  readonly received: number
  /** Judged by the content; null until all of it has arrived. */
  readonly mediaType: string | null
  /** SHA-256 in hexadecimal; null until all of it has arrived. */
  readonly digest: string | null
  readonly addedBy: string
  readonly addedAt: string
}

/** What a file is attached to: one of the two. */
export interface AttachedTo {
  readonly assetId?: string | undefined
  readonly contractId?: string | undefined
}
