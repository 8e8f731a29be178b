const HOUR_MS = 3_600_000
const ABOUT = /^[a-z_]+(\.[a-z_]+)?$/

/** URL search parameters of the audit log. */
export interface AuditSearch {
  readonly text?: string | undefined
  /** A subject, such as `api_key` for all actions with the prefix `api_key.`, or one action: `user.sign_in_failed`. */
  readonly about?: string | undefined
  readonly span?: string | undefined
}

export const SPANS: readonly { readonly value: string; readonly label: string; readonly hours: number }[] = [
  { value: 'day', label: 'The last day', hours: 24 },
  { value: 'week', label: 'The last week', hours: 7 * 24 },
  { value: 'month', label: 'The last 30 days', hours: 30 * 24 },
]

/** Parses URL search parameters; invalid ones are ignored. */
export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const { text, about, span } = raw
  return {
    ...(typeof text === 'string' && text !== '' && { text }),
    ...(typeof about === 'string' && ABOUT.test(about) && { about }),
    ...(SPANS.some(({ value }) => value === span) && { span: String(span) }),
  }
}

/** The time is rounded to the hour, so that the query key does not change at every render. */
export function variablesOf({ text, about, span }: AuditSearch, now = Date.now()) {
  const hours = SPANS.find(({ value }) => value === span)?.hours
  const from =
    hours === undefined ? null : new Date((Math.floor(now / HOUR_MS) - hours) * HOUR_MS).toISOString()
  const action = about === undefined || about.includes('.') ? about : `${about}.`
  return { text: text ?? null, action: action ?? null, from }
}
