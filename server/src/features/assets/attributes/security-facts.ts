import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { Json } from '../observation.ts'
import type { Facts } from './fact-values.ts'

/** How a host is protected, among the facts of observations. Absent: none of them says. Texts are normalized. */
export interface SecurityFacts {
  /** `required`, `offered`, `off` */
  readonly smbSigning?: string
  /** `2.1`, `3.1.1` */
  readonly smbDialect?: string
  readonly snmpVersion?: number
  /** Of the guest tools: `running`, `notrunning` */
  readonly toolsState?: string
  /** Whether the community that it answered is one that makers set. */
  readonly hasDefaultCommunity?: boolean
  /** Those that are known with an end, the first to end first. */
  readonly certificates?: readonly CertificateFacts[]
  readonly isDiskEncrypted?: boolean
  readonly isFirewallOn?: boolean
  readonly isAntivirusOn?: boolean
  readonly isGuestEnabled?: boolean
  /** The account of Windows with the relative id 500. */
  readonly isDefaultAdminEnabled?: boolean
  /** Accounts with the rights of root under another name. */
  readonly hasSecondRoot?: boolean
  /** Of a person's account: whether a second factor is asked for. */
  readonly hasMfa?: boolean
  /** Of a person's account: the last time. */
  readonly signedInAt?: Date
}

export interface CertificateFacts {
  /** RFC 3339. */
  readonly ends: string
  /** Null: not said. */
  readonly isSelfSigned: boolean | null
  /** On one of its ports; else it lies in a file or a store. */
  readonly isShown: boolean
}

/** `all` has the facts of each observation, the newest first, which wins. */
export function securityFactsOf(all: readonly Facts[]): SecurityFacts {
  const first = <T>(read: (facts: Facts) => T | undefined): T | undefined => {
    for (const facts of all) {
      const value = read(facts)
      if (value !== undefined) return value
    }
    return undefined
  }
  const found = {
    smbSigning: first(({ smb }) => textIn(objectIn(smb)['signing'])),
    smbDialect: first(({ smb }) => textIn(objectIn(smb)['dialect'])),
    snmpVersion: first(({ askedBy }) => snmpVersionIn(askedBy)),
    toolsState: first(({ toolsState }) => textIn(toolsState)?.replace(/^guesttools/, '')),
    hasDefaultCommunity: first(({ defaultCommunity }) => boolIn(defaultCommunity)),
    certificates: certificatesIn(all),
    isDiskEncrypted: first(({ protection }) => presenceIn(objectIn(protection)['diskEncryption'])),
    isFirewallOn: first(firewallIn),
    isAntivirusOn: first(antivirusIn),
    isGuestEnabled: first((facts) => isEnabled(facts, GUEST_RID)),
    isDefaultAdminEnabled: first((facts) => isEnabled(facts, ADMINISTRATOR_RID)),
    hasSecondRoot: first(({ accounts }) => secondRootIn(accounts)),
    hasMfa: first(({ mfa }) => boolIn(mfa)),
    signedInAt: first(({ lastSignInAt }) => instantIn(lastSignInAt)),
  }
  return Object.fromEntries(Object.entries(found).filter(([, it]) => it !== undefined)) as SecurityFacts
}

const objectIn = (value: Json | undefined): Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Facts) : {}

const rowsIn = (value: Json | undefined): readonly Facts[] | undefined =>
  Array.isArray(value) ? (value as readonly Json[]).map((it) => objectIn(it)) : undefined

const textIn = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? normalizeText(value.replaceAll('\0', ' ')) || undefined : undefined

const boolIn = (value: Json | undefined): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined

/** `SNMPv2c` is 2. */
function snmpVersionIn(askedBy: Json | undefined): number | undefined {
  const [, version] = /^snmpv([123])/.exec(textIn(askedBy) ?? '') ?? []
  return version === undefined ? undefined : Number(version)
}

const CERTIFICATES_MAX = 100

/** What the newest sweep saw on a port, and what the newest list of an agent has. */
function certificatesIn(all: readonly Facts[]): readonly CertificateFacts[] | undefined {
  const shown = all.flatMap(({ tls }) => certificateOf(objectIn(tls), 'validTo', true)).slice(0, 1)
  const [list] = all.flatMap(({ certificates }) => {
    const rows = rowsIn(certificates)
    return rows ? [rows] : []
  })
  if (shown.length === 0 && !list) return undefined
  const stored = (list ?? []).flatMap((it) => certificateOf(it, 'expiresAt', false))
  return [...shown, ...stored].toSorted((a, b) => (a.ends < b.ends ? -1 : 1)).slice(0, CERTIFICATES_MAX)
}

function certificateOf(found: Facts, endsIn: string, isShown: boolean): CertificateFacts[] {
  const ends = instantIn(found[endsIn])
  if (!ends) return []
  const [subject, issuer] = [textIn(found['subject']), textIn(found['issuer'])]
  const isByItself = subject === undefined || issuer === undefined ? null : subject === issuer
  return [{ ends: ends.toISOString(), isSelfSigned: boolIn(found['selfSigned']) ?? isByItself, isShown }]
}

/** Between the years that PostgreSQL and four digits can say. */
function instantIn(value: Json | undefined): Date | undefined {
  const at = typeof value === 'string' ? new Date(value) : undefined
  const year = at?.getUTCFullYear()
  return year !== undefined && year >= 1900 && year <= 9999 ? at : undefined
}

/** `none` is what a source says that looked and found nothing; silence says nothing. */
function presenceIn(value: Json | undefined): boolean | undefined {
  const text = textIn(value)
  return text === undefined ? undefined : text !== 'none'
}

/** Of our agent the program that is switched on; of GLPI's the state of each profile, all of which must be on. */
function firewallIn({ protection, firewalls }: Facts): boolean | undefined {
  const said = presenceIn(objectIn(protection)['firewall'])
  if (said !== undefined) return said
  const states = (rowsIn(firewalls) ?? []).flatMap(({ status }) => textIn(status) ?? [])
  return states.length === 0 ? undefined : states.every((it) => it === 'on' || it === 'running' || it === '1')
}

function antivirusIn({ protection, antivirus }: Facts): boolean | undefined {
  const seen = objectIn(protection)['antivirus']
  if (Array.isArray(seen)) return seen.length > 0
  const enabled = (rowsIn(antivirus) ?? []).flatMap((it) => textIn(it['enabled']) ?? [])
  return enabled.length === 0 ? undefined : enabled.some((it) => it === '1' || it === 'true' || it === 'yes')
}

const ADMINISTRATOR_RID = 500
const GUEST_RID = 501

/** Of the built-in account, whatever it was renamed to; unknown unless the list has it. */
function isEnabled({ accounts }: Facts, rid: number): boolean | undefined {
  const found = rowsIn(accounts)?.find((it) => it['rid'] === rid)
  const isDisabled = boolIn(found?.['isDisabled'])
  return isDisabled === undefined ? undefined : !isDisabled
}

/** Unknown of lists without numbers, as those of Windows. */
function secondRootIn(accounts: Json | undefined): boolean | undefined {
  const numbered = (rowsIn(accounts) ?? []).filter(({ uid }) => typeof uid === 'number')
  if (numbered.length === 0) return undefined
  return numbered.some(({ uid, name }) => uid === 0 && name !== 'root')
}
