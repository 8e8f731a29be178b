/** A file that people attached to an asset, a contract or a control of a framework. */
export interface Attachment {
  readonly id: string
  /** One of the three. */
  readonly assetId: string | null
  readonly contractId: string | null
  readonly control: string | null
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

/** What a file is attached to: one of the three. */
export interface AttachedTo {
  readonly assetId?: string | undefined
  readonly contractId?: string | undefined
  /** `nist-csf-2.0 GV.PO-01`: the slug of a framework and the id of its control. */
  readonly control?: string | undefined
}
