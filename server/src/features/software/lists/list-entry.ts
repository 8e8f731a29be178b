import { invalid } from '#platform/errors.ts'
import { normalizeText } from '#platform/conditions/normalize-text.ts'

/** The lists that a tenant may keep of software. */
export const softwareLists = ['forbidden', 'allowed'] as const
export type SoftwareList = (typeof softwareLists)[number]

/** Which software an entry means: by name, vendor or both, `*` for any text. An empty one is any. */
export interface SoftwarePattern {
  readonly list: SoftwareList
  readonly name: string
  readonly vendor: string
}

export interface ListEntry extends SoftwarePattern {
  readonly reason: string
}

const TEXT_LENGTH_MAX = 200
const REASON_LENGTH_MAX = 1_000

/** Throws 400, which names the field. */
export function checkedEntry({ list, name, vendor, reason }: ListEntry): ListEntry {
  const entry = {
    list,
    name: checkedText('name', name, TEXT_LENGTH_MAX),
    vendor: checkedText('vendor', vendor, TEXT_LENGTH_MAX),
    reason: checkedText('reason', reason, REASON_LENGTH_MAX),
  }
  if (!softwareLists.includes(list)) throw invalid('list', `is none of ${softwareLists.join(', ')}`)
  if (!/[^*\s]/.test(entry.name + entry.vendor))
    throw invalid('name', 'name or vendor must have a letter or digit beside *')
  return entry
}

function checkedText(field: string, text: string, lengthMax: number): string {
  const trimmed = text.trim()
  if (trimmed.length > lengthMax) throw invalid(field, `must have at most ${lengthMax} characters`)
  if (/\p{Cc}|\p{Cs}/u.test(trimmed)) throw invalid(field, 'must have no control characters')
  return trimmed
}

/** Between name and vendor: in neither, because both are stored without control characters. */
export const SEPARATOR = '\u001f'

/** What LIKE finds `name`, `SEPARATOR` and `vendor` by. */
export const likeOf = ({ name, vendor }: Pick<SoftwarePattern, 'name' | 'vendor'>): string =>
  [name, vendor].map((it) => (it === '' ? '%' : wildcards(normalizeText(it)))).join(SEPARATOR)

const wildcards = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
