const HOUR_MS = 3_600_000

/** URL search parameters of the audit log. */
export interface AuditSearch {
  readonly text?: string | undefined
  /** Subject of the action: `api_key` finds all actions with the prefix `api_key.`. */
  readonly about?: string | undefined
  readonly span?: string | undefined
}

/** The subjects of all recorded actions. */
export const SUBJECTS: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'asset', label: 'Assets' },
  { value: 'api_key', label: 'API keys' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'framework', label: 'Frameworks' },
  { value: 'compliance_check', label: 'Compliance checks' },
  { value: 'compliance_control', label: 'Compliance controls' },
  { value: 'compliance_exception', label: 'Compliance exceptions' },
  { value: 'partner', label: 'Partners' },
  { value: 'partner_key', label: 'Partner keys' },
  { value: 'target', label: 'Targets' },
  { value: 'scan', label: 'Scans' },
  { value: 'import', label: 'Imports' },
  { value: 'user', label: 'Users' },
  { value: 'role', label: 'Roles' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'tenant', label: 'Organisation' },
  { value: 'credential', label: 'Credentials' },
  { value: 'host_key', label: 'Host keys' },
  { value: 'override', label: 'Decisions' },
  { value: 'feed', label: 'Feeds' },
  { value: 'custom_field', label: 'Custom fields' },
  { value: 'view', label: 'Views' },
]

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
    ...(SUBJECTS.some(({ value }) => value === about) && { about: String(about) }),
    ...(SPANS.some(({ value }) => value === span) && { span: String(span) }),
  }
}

/** The time is rounded to the hour, so that the query key does not change at every render. */
export function variablesOf({ text, about, span }: AuditSearch, now = Date.now()) {
  const hours = SPANS.find(({ value }) => value === span)?.hours
  const from =
    hours === undefined ? null : new Date((Math.floor(now / HOUR_MS) - hours) * HOUR_MS).toISOString()
  return { text: text ?? null, action: about ? `${about}.` : null, from }
}
