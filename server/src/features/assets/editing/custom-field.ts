/** A field that the tenant defines for its assets: a cost centre, a room, a contract. */
export interface CustomField {
  readonly id: string
  readonly name: string
  /** Its name in conditions, imports and exports is `custom.` and this. */
  readonly key: string
  /** Earlier keys, which stored conditions may still use. */
  readonly aliases: readonly string[]
  readonly kind: CustomFieldKind
  /** Of a text: the values that it may have; null: any. */
  readonly choices: readonly string[] | null
}

export const customFieldKinds = ['text', 'number', 'boolean', 'date'] as const
export type CustomFieldKind = (typeof customFieldKinds)[number]

export interface CustomValue extends CustomField {
  /** A date is a text like `2026-03-31`. */
  readonly value: string | number | boolean
}
