import type { Observation } from '#features/assets/observation.ts'
import { observationOf, type PlatformObject } from './hypervisor/machine-observation.ts'
import { probeSingleHost, type Host } from './single-host-probe.ts'
import type { Probe, ProbeOptions, ProbeTarget, RawAnswer } from './probe.ts'
import type { HttpsLimits } from './tls/https-client.ts'
import type { CollectLimits } from './vmware/property-collector.ts'
import { readInventory } from './vmware/inventory.ts'
import { signIn } from './vmware/session.ts'

export interface VmwareLimits extends HttpsLimits, CollectLimits {
  /** Of the whole scan. */
  readonly totalMs: number
}

const LIMITS: VmwareLimits = {
  connectMs: 10_000,
  answerMs: 60_000,
  bodyBytesMax: 64 * 1024 * 1024,
  totalMs: 60 * 60_000,
  pageSize: 50,
  objectsMax: 200_000,
}

/** The probe with limits of the caller's, for tests. */
export const vmwareWithin = (limits: VmwareLimits): Probe => ({
  type: 'vmware',
  title: 'VMware vSphere',
  accepts: (target) =>
    target.kind === 'host' ? true : 'a vmware scan asks one vCenter or ESXi host; give its address or name',
  run: (target, options) => run(target, options, limits),
})

/**
 * Reads the inventory of a vCenter, or of an ESXi host on its own, as an account with the role Read-only sees it:
 * datacenters, clusters, hosts, datastores, virtual machines. Changes nothing there.
 */
export const vmware: Probe = vmwareWithin(LIMITS)

const run = (target: ProbeTarget, options: ProbeOptions, limits: VmwareLimits): AsyncIterable<Observation> =>
  probeSingleHost(target, options, {
    needs: 'a vmware scan needs a vSphere credential; add one that covers the host',
    totalMs: limits.totalMs,
    at: (host) => readAll(host, limits),
  })

async function* readAll(at: Host, limits: VmwareLimits): AsyncGenerator<Observation> {
  const { address, name, now } = at
  const onRaw = (answer: RawAnswer): void => at.onRaw(answer.part, answer.text)
  const service = await signIn({ ...at, host: name, address, limits, onRaw })
  try {
    for await (const seen of readInventory(service, name, limits))
      yield observationOf(seen satisfies PlatformObject, now())
  } finally {
    await service.close()
  }
}
