import { BlockList, isIPv4 } from 'node:net'
import { equally, type Capable } from '#features/collectors/collectors.ts'
import { lendTo } from '#features/credentials/credentials.ts'
import type { CredentialKind } from '#features/credentials/credential.ts'
import type { Lending } from '#features/credentials/lending/lending.ts'
import type { Ctx } from '#platform/context.ts'
import { ProbeFailure, type ProbeTarget } from '../probes/probe.ts'
import { pinned } from '../probes/target/resolve-target.ts'
import { coversAddress } from '../probes/target/target-addresses.ts'
import type { ScanType } from '../scan-status.ts'
import type * as store from '../store.ts'

/** The kinds of credentials that each type of scan can use; a scan without any of them fails at once. */
export const credentialKindsOf: Readonly<Record<ScanType, readonly CredentialKind[]>> = {
  sweep: [],
  ssh: ['ssh_key', 'ssh_password'],
  snmp: ['snmp_user', 'snmp_community'],
  wmi: ['winrm'],
  vmware: ['vsphere'],
  hypervisor: ['ssh_key', 'ssh_password', 'tls_client', 'proxmox_token', 'winrm'],
}

/** What one attempt at a scan may show, and where. */
export interface ScanAccess {
  readonly lending: Lending
  /** The target as the probe gets it, here or in one of these collectors; fails when it cannot be found, or when there is nothing to show to it. */
  readonly aim: (target: ProbeTarget, collectorIds: readonly string[]) => Promise<ProbeTarget>
  /** The collectors that can show something to the target, or all where nothing is shown. */
  readonly capable: (target: ProbeTarget, collectorIds: readonly string[]) => Promise<Capable>
}

export function openAccess(ctx: Ctx, scan: store.Attempt, signal: AbortSignal): ScanAccess {
  let covers: (address: string) => boolean = () => false
  let names: readonly string[] = []
  const { id: scanId, targetId, startedBy } = scan
  const lending = lendTo(ctx, {
    scanId,
    targetId,
    startedBy,
    signal,
    covers: (address) => covers(address),
    namesOf: () => names,
  })
  return {
    lending,
    async aim(target, collectorIds) {
      const aimed = await pinned(target)
      covers = coveredBy(aimed)
      names = aimed.kind === 'host' && aimed.name !== undefined ? [aimed.name] : []
      const kinds = credentialKindsOf[scan.type]
      const lack =
        aimed.kind === 'host' && kinds.length > 0
          ? await lending.lack(aimed.host, kinds, collectorIds)
          : undefined
      if (lack === undefined) return aimed
      throw new ProbeFailure(lack)
    },
    async capable(target, collectorIds) {
      const kinds = credentialKindsOf[scan.type]
      if (target.kind !== 'host' || kinds.length === 0) return equally(collectorIds)
      const able = await lending.shownBy(target.host, kinds, collectorIds)
      return able.size > 0 ? able : equally(collectorIds)
    },
  }
}

function coveredBy(target: ProbeTarget): (address: string) => boolean {
  if (target.kind === 'host') return (address) => address === target.host
  if (target.kind === 'range') return (address) => coversAddress(target, address)
  const [network = '', bits] = target.cidr.split('/')
  const list = new BlockList()
  list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6')
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
