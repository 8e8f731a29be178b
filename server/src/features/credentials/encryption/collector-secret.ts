import ipaddr from 'ipaddr.js'
import type { JWK } from 'jose'
import { encryptedFor } from '#platform/secrets/encrypted-for-key.ts'
import { assembled, type Values } from '../credential-kinds.ts'
import type { Credential, CredentialKind, Known } from '../credential.ts'

/**
 * What is encrypted for a collector: a secret with what it is for. The collector holds the server to it, so that nobody
 * who has the server can have the secret shown to a host of theirs.
 */
export interface CollectorSecret {
  readonly credentialId: string
  readonly kind: CredentialKind
  readonly cidrs: readonly string[]
  readonly secrets: Values
}

export const encryptedSecret = (collectorKey: JWK, secret: CollectorSecret): Promise<string> =>
  encryptedFor(collectorKey, JSON.stringify(secret))

/** A credential whose secret the server cannot open; a collector can, and makes it whole. */
export interface SealedCredential extends Known {
  readonly kind: CredentialKind
  readonly settings: Values
  /** For that collector alone. */
  readonly encrypted: string
}

/** What a collector is lent. */
export type LentCredential = Credential | SealedCredential

export const isSealed = (credential: LentCredential): credential is SealedCredential =>
  'encrypted' in credential

/** In a collector: as probes want it. Throws when a secret is another's, or was not entered for this address. */
export async function openedCredential(
  lent: LentCredential,
  address: string,
  decrypt: (encrypted: string) => Promise<string>,
): Promise<Credential> {
  if (!isSealed(lent)) return lent
  const { encrypted, settings, ...known } = lent
  const text = await decrypt(encrypted).catch((cause: unknown) => {
    throw new Error(`this collector cannot open the secret of ${known.name}; enter it anew`, { cause })
  })
  const { credentialId, kind, cidrs, secrets } = JSON.parse(text) as CollectorSecret
  if (credentialId !== known.id || kind !== known.kind)
    throw new Error(`the secret of ${known.name} is that of another credential`)
  if (!cidrs.some((cidr) => contains(cidr, address)))
    throw new Error(`the secret of ${known.name} was entered for ${cidrs.join(', ')}, not for ${address}`)
  return assembled({ ...known, port: known.port, settings, secrets })
}

function contains(cidr: string, address: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(cidr)
  const host = ipaddr.parse(address)
  return host.kind() === network.kind() && host.match(network, bits)
}
