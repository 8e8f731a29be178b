import type { CredentialKind, CredentialRow } from '#api/generated/operations.ts'
import { kinds, type ValueName } from './credential-kinds.ts'

/** The fields of the form, by the names that the server gives them in a refusal. */
export type FormValues = Record<ValueName, string> & {
  name: string
  kind: CredentialKind
  cidrs: string
  targetIds: string[]
  port: string
  asksOnUnknownHost: boolean
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

/** Secrets begin empty, for nobody can read them. */
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
  }
}

/** Whether the secret itself is sent, over something that shows a key or certificate first. The server says the same. */
export const canAsk = ({ kind, transport }: Pick<FormValues, 'kind' | 'transport'>): boolean =>
  kind === 'ssh_password' ||
  kind === 'vsphere' ||
  kind === 'proxmox_token' ||
  (kind === 'winrm' && transport !== 'http')

/** What is sent: networks one by one, of the fields those of the kind; a secret that is not given stays as it is. */
export function variablesOf(values: FormValues) {
  const { name, kind, cidrs, targetIds, port } = values
  const fields = kinds[kind].fields.filter((it) => values[it.name] !== '' || !(it.isSecret || it.choices))
  return {
    name: name.trim(),
    cidrs: cidrs.split(/[\s,;]+/).filter(Boolean),
    targetIds,
    ...(canAsk(values) && { asksOnUnknownHost: values.asksOnUnknownHost }),
    port: port.trim() === '' ? null : Number(port),
    ...(Object.fromEntries(fields.map((it) => [it.name, values[it.name]])) as Partial<
      Record<ValueName, string>
    >),
  }
}
