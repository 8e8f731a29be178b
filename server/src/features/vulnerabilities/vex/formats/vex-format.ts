/** A VEX document format. */
export interface VexFormat {
  readonly name: string
  /** Whether the document is of this kind. */
  readonly isOne: (document: Fields) => boolean
  readonly read: (document: Fields) => VexDocument
}

export interface VexDocument {
  /** What tells it from others, whatever its version. */
  readonly id: string
  readonly statements: readonly VexStatement[]
}

export interface VexStatement {
  readonly cveId: string
  readonly status: 'not_affected' | 'fixed' | 'affected' | 'under_investigation'
  /** Package URLs, or `urn:uuid:` of an asset; empty: whatever it is found in. */
  readonly product: string
  /** A part of the product, by its package URL. */
  readonly part: string
  readonly reason: string
}

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
