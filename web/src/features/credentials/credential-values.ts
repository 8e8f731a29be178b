import type { CredentialRow } from '#api/generated/credentials.ts'
import type { CredentialKind } from '#api/generated/enums-and-inputs.ts'
import { kinds, type ValueName } from './credential-kinds.ts'

/** Values of the form, by the field names that the server uses in errors. */
export type FormValues = Record<ValueName, string> & {
  name: string
  kind: CredentialKind
  cidrs: string
  targetIds: string[]
  port: string
  asksOnUnknownHost: boolean
  /** Those that alone can open the secret; none: the server can. */
  collectorIds: string[]
}

const NOTHING: Record<ValueName, string> = {
  username: '',
  password: '',
  privateKey: '',
  passphrase: '',
  version: '',
  community: '',
  authProtocol: '',
  authPassword: '',
  privacyProtocol: '',
  privacyPassword: '',
  context: '',
  transport: '',
  tokenId: '',
  secret: '',
  certificate: '',
  authority: '',
}

/** Secret fields start empty, because they cannot be read. */
export function valuesOf(credential: CredentialRow | undefined): FormValues {
  return {
    ...NOTHING,
    ...(credential?.settings as Partial<Record<ValueName, string>> | undefined),
    name: credential?.name ?? '',
    kind: credential?.kind ?? 'ssh_key',
    cidrs: credential?.cidrs.join('\n') ?? '',
    targetIds: [...(credential?.targetIds ?? [])],
    port: credential?.port?.toString() ?? '',
    asksOnUnknownHost: credential?.asksOnUnknownHost ?? true,
    collectorIds: [...(credential?.collectorIds ?? [])],
  }
}

/**
 * Whether scans send the secret itself, over a protocol where the host first presents a key or certificate. The
 * server applies the same rule.
 */
export const canAsk = ({ kind, transport }: Pick<FormValues, 'kind' | 'transport'>): boolean =>
  kind === 'ssh_password' ||
  kind === 'vsphere' ||
  kind === 'proxmox_token' ||
  (kind === 'winrm' && transport !== 'http')

/**
 * Converts form values to variables: networks as a list, only the fields of the kind, and secrets only where entered.
 * Collectors only where they are others than before: whose collectors are gone is not given to the server by chance.
 */
export function variablesOf(values: FormValues, collectorsBefore: readonly string[] = []) {
  const { name, kind, cidrs, targetIds, port, collectorIds } = values
  const fields = kinds[kind].fields.filter((it) => values[it.name] !== '' || !(it.isSecret || it.choices))
  return {
    name: name.trim(),
    cidrs: cidrs.split(/[\s,;]+/).filter(Boolean),
    targetIds,
    ...(collectorIds.join() !== collectorsBefore.join() && { collectorIds }),
    ...(canAsk(values) && { asksOnUnknownHost: values.asksOnUnknownHost }),
    port: port.trim() === '' ? null : Number(port),
    ...(Object.fromEntries(fields.map((it) => [it.name, values[it.name]])) as Partial<
      Record<ValueName, string>
    >),
  }
}
