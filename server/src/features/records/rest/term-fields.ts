import { Type } from 'typebox'
import { isCalendarDate } from '#platform/validation/calendar-date.ts'
import { invalid } from '#platform/errors.ts'

/** Fields of contracts and entitlements over REST: null, or absent in a new one, is "not recorded". */

const LINE =
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$'
const TEXT_LENGTH_MAX = 200
const NOTES_LENGTH_MAX = 10_000

const orNull = (pattern: string, more: object) =>
  Type.Optional(Type.Union([Type.String({ pattern, ...more }), Type.Null()]))

export const optionalLine = (maxLength = TEXT_LENGTH_MAX) => orNull(LINE, { maxLength })
const date = orNull('^\\d{4}-\\d\\d-\\d\\d$', { documentedAs: { format: 'date' } })

export const termFields = {
  begins: date,
  ends: date,
  cost: orNull('^\\d{1,12}(\\.\\d{1,2})?$', { description: 'such as 1299.00; needs a currency, or 409' }),
  currency: orNull('^[A-Za-z]{3}$', { description: 'ISO 4217' }),
  notes: orNull('\\S', { maxLength: NOTES_LENGTH_MAX }),
}

/** As they are answered. */
const text = Type.Union([Type.String(), Type.Null()])
export const termReply = { begins: text, ends: text, cost: text, currency: text, notes: text }
export const textReply = text

/** Days that look like one and are none, such as 2026-02-30, are refused before names are looked for. */
export function checkDates(body: { readonly begins?: unknown; readonly ends?: unknown }): void {
  for (const field of ['begins', 'ends'] as const) {
    const day = body[field]
    if (typeof day === 'string' && !isCalendarDate(day))
      throw invalid(field, 'is not a date; write it like 2026-03-31')
  }
}
