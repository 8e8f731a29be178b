import { invalid } from '#platform/errors.ts'
import type { CredentialInfo } from './credential-info.ts'
import { canAsk, fieldsOf, parted, type Values } from './credential-kinds.ts'
import type { CredentialKind } from './credential.ts'

export function checkedPort(port: number | null | undefined): { port?: number } {
  if (port === null || port === undefined) return {}
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid('port', 'must be 1 to 65535')
  return { port }
}

/** Refuses asking where it means nothing. */
export function checkedAsking(
  kind: CredentialKind,
  settings: Values,
  wanted: boolean | undefined,
): boolean | undefined {
  if (wanted && !canAsk(kind, settings))
    throw invalid(
      'asksOnUnknownHost',
      'means nothing here: no secret is sent, or hosts show no key to know them by',
    )
  return wanted
}

/** Without a new secret the settings alone are looked at: what they must fit is not read for that. */
export function settingsAfter(before: CredentialInfo, values: Values, isNewSecret: boolean): Values {
  const given = { ...before.settings, ...values }
  if (isNewSecret) return parted(before.kind, given).settings
  for (const [name, value] of Object.entries(values)) {
    const field = fieldsOf[before.kind][name as keyof Values]
    if (!field) throw invalid(name, `means nothing for ${before.kind}`)
    if (field.isRequired && value === '') throw invalid(name, `is needed for ${before.kind}`)
    if (field.oneOf && !field.oneOf.includes(value))
      throw invalid(name, `must be one of ${field.oneOf.join(', ')}`)
    if (value !== before.settings[name as keyof Values] && before.kind === 'tls_client')
      throw invalid('privateKey', 'is needed with another certificate')
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}
