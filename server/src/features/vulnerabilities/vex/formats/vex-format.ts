/** A VEX document format. */
export interface VexFormat {
  readonly name: string
  /** Whether the document has this format. */
  readonly isOne: (document: Fields) => boolean
  readonly read: (document: Fields) => VexDocument
}

export interface VexDocument {
  /** Identifies the document across its versions. */
  readonly id: string
  readonly statements: readonly VexStatement[]
}

export interface VexStatement {
  readonly cveId: string
  readonly status: 'not_affected' | 'fixed' | 'affected' | 'under_investigation'
  /** Package URL, or `urn:uuid:` of an asset; empty: any product. */
  readonly product: string
  /** Package URL of a component of the product. */
  readonly part: string
  readonly reason: string
}

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
