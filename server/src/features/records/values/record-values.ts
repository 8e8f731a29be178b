import { invalid } from '#platform/errors.ts'
import { isCalendarDate } from '#platform/validation/calendar-date.ts'
import { hasControlCharacter } from '#platform/validation/control-characters.ts'
import { isUuid } from '#platform/uuid.ts'
import { lifeStates, recordFields, type RecordChange, type RecordField } from './asset-record.ts'

/** Texts of people and files as record values. */

const NOTES_LENGTH_MAX = 10_000
const YEAR_FIRST = '1950-01-01'
const YEAR_LAST = '2199-12-31'

/** In canonical form; an empty text is null, which clears. Throws a refusal that names the field. */
export function checkedChange(change: RecordChange): RecordChange {
  const given = recordFields.filter((field) => change[field] !== undefined)
  return Object.fromEntries(
    given.map((field) => {
      const text = change[field]?.trim() ?? ''
      if (text === '') return [field, null]
      const why = wrongWith(field, text)
      if (why !== undefined) throw invalid(field, why)
      return [field, canonical(field, text)]
    }),
  )
}

/** What is wrong with a text that is not empty; undefined when it is a value of the field. */
export function wrongWith(field: RecordField, text: string): string | undefined {
  if (!text.isWellFormed() || text.includes('\0')) return 'holds what is no character'
  const length = lengthMax[field] ?? TEXT_LENGTH_MAX
  if (text.length > length) return `is longer than ${length} characters`
  if (field !== 'notes' && hasControlCharacter(text)) return 'holds a control character, such as a line break'
  return rules[field]?.(text)
}

/** The value as it is stored; only for texts that are not wrong. */
export function canonical(field: RecordField, text: string): string {
  if (field === 'currency') return text.toUpperCase()
  if (field === 'state') return plainState(text)
  if (field === 'approved') return answers[text.toLowerCase()] ?? text
  if (field !== 'price') return text
  const [whole = '', cents = ''] = text.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${cents.padEnd(2, '0')}`
}

const TEXT_LENGTH_MAX = 200
const lengthMax: Readonly<Partial<Record<RecordField, number>>> = {
  costCentre: 100,
  orderNumber: 100,
  notes: NOTES_LENGTH_MAX,
}

type Rule = (text: string) => string | undefined
const unless = (fits: boolean, why: string): string | undefined => (fits ? undefined : why)

const day: Rule = (text) =>
  unless(
    isCalendarDate(text) && text >= YEAR_FIRST && text <= YEAR_LAST,
    'is not a date; write it like 2026-03-31',
  )

const plainState = (text: string): string => text.toLowerCase().replace(/[\s-]+/g, '_')

/** As people and spreadsheets write it. */
const answers: Readonly<Record<string, 'yes' | 'no'>> = {
  yes: 'yes',
  true: 'yes',
  '1': 'yes',
  no: 'no',
  false: 'no',
  '0': 'no',
}

const rules: Readonly<Partial<Record<RecordField, Rule>>> = {
  placeId: (text) => unless(isUuid(text), 'is not a UUID'),
  state: (text) =>
    unless(
      lifeStates.some((state) => state === plainState(text)),
      `is none of ${lifeStates.join(', ')}`,
    ),
  price: (text) =>
    unless(
      /^\d{1,12}(\.\d{1,2})?$/.test(text),
      'is not an amount; write it like 1299.00, without a currency',
    ),
  currency: (text) => unless(/^[a-z]{3}$/i.test(text), 'is not a currency code of ISO 4217, such as EUR'),
  purchasedOn: day,
  warrantyEnds: day,
  leaseEnds: day,
  replaceOn: day,
  hardwareEol: day,
  externallyScannedOn: day,
  approved: (text) => unless(Object.hasOwn(answers, text.toLowerCase()), 'is neither yes nor no'),
}
