import ipaddr from 'ipaddr.js'
import { invalid } from '#platform/errors.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { hasControlCharacter } from '#platform/validation/control-characters.ts'

/** Whose agents a token admits: our own, those of GLPI, FusionInventory, OCS and osquery, or both. */
export const tokenKinds = ['agent', 'dropin', 'both'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** The right to report into a tenant. The secret itself is shown once and stored as a digest. Times are RFC 3339. */
export interface EnrolmentToken {
  readonly id: string
  readonly name: string
  readonly kind: TokenKind
  /** The beginning of the secret, which may be shown. */
  readonly prefix: string
  /** Given to every asset that an agent with this token reports. */
  readonly tags: readonly string[]
  /** CIDRs from which it is taken; empty: from anywhere. */
  readonly networks: readonly string[]
  /** How many hosts may enrol our own agent with it; null: any number. */
  readonly usesMax: number | null
  /** How many did. */
  readonly uses: number
  /** Hosts that enrol with it wait until somebody approves them. */
  readonly needsApproval: boolean
  readonly createdAt: string
  /** Null: never. */
  readonly expiresAt: string | null
  readonly isExpired: boolean
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface IssuedToken {
  readonly token: EnrolmentToken
  /** Shown this once. */
  readonly secret: string
}

export interface NewToken {
  readonly name: string
  /** `agent` unless given. */
  readonly kind?: TokenKind
  readonly tags?: readonly string[]
  readonly networks?: readonly string[]
  /** Hosts that may enrol our own agent: 1 unless given. Not for `dropin`: those agents show the token with each report. */
  readonly uses?: number
  readonly needsApproval?: boolean
  /** Unless given 30, of a token that agents of others show with each report 365. `never`: only of one for a single host. */
  readonly expiresInDays?: number | 'never'
  /** Of `dropin`: the secret with which osquery enrols at Fleet, to be taken over; else one is made. */
  readonly secret?: string
}

export interface TokenFields {
  readonly name: string
  readonly kind: TokenKind
  readonly usesMax: number | null
  readonly needsApproval: boolean
  readonly tags: readonly string[]
  readonly networks: readonly string[]
  readonly expiresInDays: number | 'never'
}

/** The form of a secret: `rce_` and 64 hexadecimal digits. */
export const TOKEN_FORM = 'rce_[0-9a-f]{64}'
export const TOKEN_PREFIX = 'rce_'
const EXPIRES_IN_DAYS_DEFAULT = 30
/** Agents of others carry the secret in their configuration for as long as they live. */
const EXPIRES_IN_DAYS_CARRIED = 365
const USES_MAX = 1_000_000
const EXPIRES_IN_DAYS_MAX = 3_650
const NAME_LENGTH_MAX = 200
const TAGS_MAX = 20
const TAG_LENGTH_MAX = 255
const NETWORKS_MAX = 100

/** Refuses what does not fit, naming the field. */
export function checkedToken(input: NewToken): TokenFields {
  const { kind = 'agent', tags = [], networks = [], needsApproval = false } = input
  const usesMax = checkedUses(kind, input.uses)
  if (needsApproval && kind !== 'agent')
    throw invalid('needs_approval', 'is for tokens of kind agent: agents of others have no key to approve')
  return {
    name: checkedName('name', input.name, NAME_LENGTH_MAX),
    kind,
    usesMax,
    needsApproval,
    tags: checkedTags(tags),
    networks: checkedNetworks(networks),
    expiresInDays: checkedDays(kind, usesMax, input.expiresInDays),
  }
}

/** Refuses what could be guessed, and what a file could not hold. */
export function checkedSecret({ kind = 'agent', secret }: NewToken): string | undefined {
  if (secret === undefined) return undefined
  if (kind !== 'dropin') throw invalid('secret', 'can be given for tokens of kind dropin alone')
  if (!/^[\x21-\x7e]{16,255}$/.test(secret))
    throw invalid('secret', 'must have 16 to 255 visible characters of ASCII, no spaces')
  return secret
}

function checkedUses(kind: TokenKind, uses: number | undefined): number | null {
  if (kind === 'dropin') {
    if (uses !== undefined)
      throw invalid('uses', 'are not counted of a token that agents show with each report')
    return null
  }
  if (uses !== undefined && !(Number.isInteger(uses) && uses >= 1 && uses <= USES_MAX))
    throw invalid('uses', `must be a whole number from 1 to ${USES_MAX}`)
  return uses ?? 1
}

function checkedDays(
  kind: TokenKind,
  usesMax: number | null,
  days: number | 'never' = kind === 'agent' ? EXPIRES_IN_DAYS_DEFAULT : EXPIRES_IN_DAYS_CARRIED,
): number | 'never' {
  if (days === 'never') {
    if (usesMax !== 1 || kind !== 'agent')
      throw invalid('expires_in_days', 'must be given for a token that serves more than one host')
    return days
  }
  if (!Number.isInteger(days) || days < 1 || days > EXPIRES_IN_DAYS_MAX)
    throw invalid('expires_in_days', `must be a whole number from 1 to ${EXPIRES_IN_DAYS_MAX}, or never`)
  return days
}

function checkedTags(tags: readonly string[]): string[] {
  const trimmed = [...new Set(tags.map((it) => it.trim()))]
  if (trimmed.length > TAGS_MAX) throw invalid('tags', `are more than ${TAGS_MAX}`)
  if (trimmed.some((it) => it === '' || it.length > TAG_LENGTH_MAX || hasControlCharacter(it)))
    throw invalid('tags', `must each have 1 to ${TAG_LENGTH_MAX} characters, no control characters`)
  return trimmed
}

function checkedNetworks(networks: readonly string[]): string[] {
  if (networks.length > NETWORKS_MAX) throw invalid('networks', `are more than ${NETWORKS_MAX}`)
  return networks.map((text) => {
    const network = text.trim()
    if (!ipaddr.isValidCIDR(network))
      throw invalid('networks', `${text.slice(0, 50)} is no CIDR such as 192.0.2.0/24`)
    return network
  })
}

/** Whether the token may be used from the address. */
export function isFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const client = ipaddr.process(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === client.kind() && client.match(base, bits)
  })
}
