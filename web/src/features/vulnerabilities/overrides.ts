import type {
  CreateOverrideVariables,
  OverrideKind,
  OverrideRow,
  Severity,
} from '#api/generated/operations.ts'

/** What a person may decide. Vendors say the rest. */
export const DECISIONS = [
  { value: 'accepted_risk', label: 'Accept the risk', done: 'Risk accepted' },
  { value: 'false_positive', label: 'It is a false positive', done: 'Marked as false positive' },
  { value: 'severity', label: 'Change the severity', done: 'Severity changed' },
] as const
export type Decision = (typeof DECISIONS)[number]['value']

const KINDS: Readonly<Record<OverrideKind, string>> = {
  accepted_risk: 'Risk accepted',
  false_positive: 'False positive',
  severity: 'Severity changed',
  not_affected: 'Not affected',
  fixed: 'Fixed',
}

export const kindName = (kind: OverrideKind): string => KINDS[kind]

/** What it reaches. */
export const SCOPES = [
  { value: 'finding', label: 'This finding alone' },
  { value: 'software', label: 'This software, on every asset and in every version' },
  { value: 'version', label: 'This software in this version, on every asset' },
  { value: 'tag', label: 'Assets with a tag' },
  { value: 'cve', label: 'Every asset' },
] as const
export type Scope = (typeof SCOPES)[number]['value']

export interface OverrideValues extends Record<string, unknown> {
  readonly kind: Decision
  readonly scope: Scope
  readonly tag: string
  readonly severity: Severity
  readonly reason: string
  /** In days; empty: until it is ended. */
  readonly days: string
}

/** What the decision is about: a CVE, or a finding of it. */
export interface Subject {
  readonly cveId: string
  readonly finding?: { readonly id: string; readonly software: string; readonly assetName: string }
}

/** `openssl 3.0.2-0ubuntu1`: the name ends at the last space. */
export function softwareIn(text: string): { readonly name: string; readonly version: string } {
  const at = text.lastIndexOf(' ')
  return at < 0 ? { name: text, version: '' } : { name: text.slice(0, at), version: text.slice(at + 1) }
}

export function scopeOf({ cveId, finding }: Subject, { scope, tag }: Pick<OverrideValues, 'scope' | 'tag'>) {
  const { name, version } = softwareIn(finding?.software ?? '')
  const isSoftware = scope === 'software' || scope === 'version'
  return {
    cveId,
    findingId: scope === 'finding' ? (finding?.id ?? null) : null,
    package: isSoftware ? name : null,
    version: scope === 'version' ? version : null,
    tag: scope === 'tag' ? tag.trim() || null : null,
  }
}

const DAY_MS = 86_400_000

export function variablesOf(
  subject: Subject,
  values: OverrideValues,
  now = Date.now(),
): CreateOverrideVariables {
  const { kind, severity, reason, days } = values
  return {
    kind,
    ...scopeOf(subject, values),
    severity: kind === 'severity' ? severity : null,
    cvssScore: null,
    reason: reason.trim(),
    expiresAt: days === '' ? null : new Date(now + Number(days) * DAY_MS).toISOString(),
  }
}

/** In words, what an override reaches. */
export function reachOf({ findingId, package: name, version, tag }: OverrideRow): string {
  if (findingId !== null) return 'one finding'
  if (name !== null) return version === null ? name : `${name} ${version}`
  return tag === null ? 'every asset' : `assets tagged ${tag}`
}
