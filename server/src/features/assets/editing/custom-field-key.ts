import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { CustomField } from './custom-field.ts'

/**
 * The name of a field in conditions, imports and exports, behind `custom.`: `Cost centre` is `cost_centre`. Differs from
 * the names of the other fields, present and former.
 */
export function customFieldKey(
  name: string,
  others: readonly Pick<CustomField, 'key' | 'aliases'>[],
): string {
  const plain = normalizeText(name)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
  const wanted = plain || 'field'
  const taken = new Set(others.flatMap(({ key, aliases }) => [key, ...aliases]))
  for (let nth = 1; ; nth++) {
    const key = nth === 1 ? wanted : `${wanted}_${nth}`
    if (!taken.has(key)) return key
  }
}

/** The field under another name: conditions may go on using the names that it had. */
export function renamed(
  field: CustomField,
  name: string,
  others: readonly Pick<CustomField, 'key' | 'aliases'>[],
): CustomField {
  const key = customFieldKey(name, others)
  const former = [...field.aliases, field.key].filter((it) => it !== key)
  return { ...field, name, key, aliases: [...new Set(former)].slice(-FORMER_MAX) }
}

const FORMER_MAX = 20
