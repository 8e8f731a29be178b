import type { OverrideKind, Severity } from '#api/generated/enums-and-inputs.ts'
import type { CreateOverrideVariables, OverrideRow } from '#api/generated/vulnerabilities.ts'
import { endOfDay } from '#lib/dates.ts'

/** The kinds that a person can create; others come from VEX documents. */
export const OVERRIDE_KINDS = [
  { value: 'accepted_risk', label: 'Accept the risk', done: 'Risk accepted' },
  { value: 'false_positive', label: 'It is a false positive', done: 'Marked as false positive' },
  { value: 'severity', label: 'Change the severity', done: 'Severity changed' },
] as const
export type ChosenKind = (typeof OVERRIDE_KINDS)[number]['value']

const KINDS: Readonly<Record<OverrideKind, string>> = {
  accepted_risk: 'Risk accepted',
  false_positive: 'False positive',
  severity: 'Severity changed',
  not_affected: 'Not affected',
  fixed: 'Fixed',
}

export const kindName = (kind: OverrideKind): string => KINDS[kind]

/** Choices of the scope. */
export const SCOPES = [
  { value: 'finding', label: 'This finding alone' },
  { value: 'software', label: 'This software, on every asset and in every version' },
  { value: 'version', label: 'This software in this version, on every asset' },
  { value: 'tag', label: 'Assets with a tag' },
  { value: 'condition', label: 'Assets that match a condition' },
  { value: 'cve', label: 'Every asset' },
] as const
export type Scope = (typeof SCOPES)[number]['value']

export interface OverrideValues extends Record<string, unknown> {
  readonly kind: ChosenKind
  readonly scope: Scope
  readonly tag: string
  readonly condition: string
  readonly severity: Severity
  readonly reason: string
  /** Last day, YYYY-MM-DD in the person's time zone, or NO_END; empty while the date is incomplete. */
  readonly endsOn: string
}

/** The CVE, or one finding of it, to override. */
export interface Subject {
  readonly cveId: string
  readonly finding?: { readonly id: string; readonly software: string; readonly assetName: string }
}

/** Splits `openssl 3.0.2-0ubuntu1` at the last space. */
export function softwareIn(text: string): { readonly name: string; readonly version: string } {
  const at = text.lastIndexOf(' ')
  return at < 0 ? { name: text, version: '' } : { name: text.slice(0, at), version: text.slice(at + 1) }
}

type ScopeValues = Pick<OverrideValues, 'scope' | 'tag' | 'condition'>

export function scopeOf({ cveId, finding }: Subject, { scope, tag, condition }: ScopeValues) {
  const { name, version } = softwareIn(finding?.software ?? '')
  const isSoftware = scope === 'software' || scope === 'version'
  return {
    cveId,
    findingId: scope === 'finding' ? (finding?.id ?? null) : null,
    package: isSoftware ? name : null,
    version: scope === 'version' ? version : null,
    tag: scope === 'tag' ? tag.trim() || null : null,
    condition: scope === 'condition' ? condition.trim() || null : null,
  }
}

/** No expiry. */
export const NO_END = 'none'

/** The instant at which an override with this last day ends; null: none. */
export const expiresAtOf = (endsOn: string): string | null =>
  endsOn === NO_END ? null : (endOfDay(endsOn)?.toISOString() ?? null)

/** Validation error of the last day; undefined if valid. */
export function expiryError(endsOn: string, now = Date.now()): string | undefined {
  if (endsOn === NO_END) return undefined
  const end = endOfDay(endsOn)
  if (end === undefined) return 'Pick a day, or choose “No end”'
  return end.getTime() <= now ? 'This day has passed' : undefined
}

export function variablesOf(subject: Subject, values: OverrideValues): CreateOverrideVariables {
  const { kind, severity, reason, endsOn } = values
  return {
    kind,
    ...scopeOf(subject, values),
    severity: kind === 'severity' ? severity : null,
    cvssScore: null,
    reason: reason.trim(),
    expiresAt: expiresAtOf(endsOn),
  }
}

/** The scope as text. */
export function scopeText({ findingId, package: name, version, tag, condition }: OverrideRow): string {
  if (findingId !== null) return 'one finding'
  if (name !== null) return version === null ? name : `${name} ${version}`
  if (tag !== null) return `assets tagged ${tag}`
  return condition === null ? 'every asset' : `assets with ${condition}`
}
