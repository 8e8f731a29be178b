import type { CredentialKind } from '../credential.ts'

export interface Candidate {
  readonly kind: CredentialKind
  readonly createdAt: string
  /** The last outcome at this address; null when it was never tried there. */
  readonly acceptedAt: string | null
  readonly refusedInRow: number
}

/** Nothing that a password could be taken from comes before what one could. */
const RANK: Readonly<Record<CredentialKind, number>> = {
  ssh_key: 0,
  ssh_password: 1,
  snmp_user: 0,
  snmp_community: 1,
  winrm: 0,
  vsphere: 0,
  proxmox_token: 0,
  tls_client: 0,
}

/** The one that worked here last comes first, those that were refused here last; between them the safer kind, then the older. */
export function inOrder<T extends Candidate>(candidates: readonly T[]): T[] {
  return candidates.toSorted(
    (a, b) =>
      a.refusedInRow - b.refusedInRow ||
      (b.acceptedAt ?? '').localeCompare(a.acceptedAt ?? '') ||
      RANK[a.kind] - RANK[b.kind] ||
      a.createdAt.localeCompare(b.createdAt),
  )
}
