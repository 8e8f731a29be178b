import { lookup } from 'node:dns/promises'
import type { Observation } from '#features/assets/observation.ts'
import { observationOf, type Seen } from './hypervisor/seen.ts'
import { ProbeFailure, type Probe, type ProbeOptions, type ProbeTarget } from './probe.ts'
import type { HttpsLimits } from './tls/https.ts'
import type { CollectLimits } from './vmware/collect.ts'
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

/** With other limits than the usual, for tests. */
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

async function* run(
  target: ProbeTarget,
  options: ProbeOptions,
  limits: VmwareLimits,
): AsyncGenerator<Observation> {
  const { access, now, onProgress, onRaw } = options
  const { host, name = host } = asHost(target)
  if (!access)
    throw new ProbeFailure('a vmware scan needs a vSphere credential; add one that covers the host')
  const late = AbortSignal.timeout(limits.totalMs)
  const signal = AbortSignal.any([options.signal, late])
  const progress = (done: number): void =>
    onProgress?.({ done, total: 1, found: done, ratePerSecond: 0, remainingSeconds: 0 })
  let told = 0
  progress(0)
  try {
    const service = await signIn({
      host: name,
      address: await addressOf(host),
      access,
      signal,
      limits,
      onRaw,
    })
    try {
      for await (const seen of readInventory(service, name, limits)) {
        yield observationOf(seen satisfies Seen, now())
        told++
      }
    } finally {
      await service.close()
    }
    progress(1)
  } catch (error) {
    options.signal.throwIfAborted()
    if (!late.aborted) throw error
    throw new ProbeFailure(
      `given up after ${limits.totalMs / 60_000} minutes; the ${told} objects that ${name} had told by then are kept`,
    )
  }
}

const asHost = (target: ProbeTarget): { readonly host: string; readonly name?: string } =>
  target.kind === 'host' ? target : { host: target.cidr }

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch {
    throw new ProbeFailure(
      `the host name ${host} does not resolve; check the name and this machine's name servers`,
    )
  }
}
