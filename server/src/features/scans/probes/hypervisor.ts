import type { Observation } from '#features/assets/observation.ts'
import type { Credential, Outcome } from './credential-access.ts'
import { hyperV } from './hypervisor/hyper-v.ts'
import { libvirtOverSsh } from './hypervisor/libvirt-ssh.ts'
import { libvirtOverTls } from './hypervisor/libvirt-tls.ts'
import { listening } from './hypervisor/open-ports.ts'
import { proxmox } from './hypervisor/proxmox.ts'
import { observationOf } from './hypervisor/machine-observation.ts'
import {
  LetInForNothing,
  Refused,
  type Entry,
  type HypervisorLimits,
  type Way,
  type WayMeans,
} from './hypervisor/access-method.ts'
import { lookAtHost, type Host } from './single-host-probe.ts'
import { ProbeFailure, type Probe, type ProbeOptions, type ProbeTarget } from './probe.ts'
import { HostFailure } from './ssh/connection/host-failure.ts'
import { CertificateNotTrusted } from './tls/pinned-certificate.ts'

const LIMITS: HypervisorLimits = {
  connectMs: 10_000,
  answerMs: 60_000,
  bodyBytesMax: 32 * 1024 * 1024,
  totalMs: 60 * 60_000,
  uris: ['qemu:///system', 'xen:///system', 'lxc:///system', 'bhyve:///system'],
}

/** In this order where several answer. Whoever adds a way adds its kinds of credentials. */
const ways: readonly Way[] = [proxmox, libvirtOverTls, hyperV, libvirtOverSsh]

/** With other limits than the usual, for tests. */
export const hypervisorWithin = (limits: HypervisorLimits): Probe => ({
  type: 'hypervisor',
  title: 'Hypervisors',
  accepts: (target) =>
    target.kind === 'host' ? true : 'a hypervisor scan asks one host; give its address or name',
  run: (target, options) => run(target, options, limits),
})

/**
 * Reads a host of virtual machines and its guests: Proxmox VE by its API, Hyper-V by WS-Management, others by libvirt,
 * over TLS or SSH. Which way is decided by what listens there and which credentials there are. Changes nothing on the host.
 */
export const hypervisor: Probe = hypervisorWithin(LIMITS)

const run = (
  target: ProbeTarget,
  options: ProbeOptions,
  limits: HypervisorLimits,
): AsyncIterable<Observation> =>
  lookAtHost(target, options, {
    needs: 'a hypervisor scan needs a credential; add one that covers the host',
    totalMs: limits.totalMs,
    at: (host) => readAll(host, limits),
  })

async function* readAll(at: Host, limits: HypervisorLimits): AsyncGenerator<Observation> {
  const entry = await enterSomehow({ ...at, host: at.name, limits })
  try {
    for await (const seen of entry.read()) yield observationOf(seen, at.now())
  } finally {
    await entry.close()
  }
}

/** Asks for credentials way by way, those first whose service listens: only so many may be tried on a host. */
async function enterSomehow(means: WayMeans): Promise<Entry> {
  const open = await listening(
    means.address,
    ways.map(({ port }) => port),
    means.signal,
  )
  const inOrder = [
    ...ways.filter(({ port }) => open.has(port)),
    ...ways.filter(({ port }) => !open.has(port)),
  ]
  const reasons: string[] = []
  for (const way of inOrder) {
    const lent = await means.access.credentialsFor(means.address, way.kinds)
    const entry = await enterBy(way, lent, means, reasons)
    if (entry) return entry
  }
  if (reasons.length > 0) throw new ProbeFailure(reasons.join('; '))
  const places = ways.map(({ title, port }) => `${title} on ${port}`).join(', ')
  throw new ProbeFailure(
    `no credential may be shown to ${means.address} for any of: ${places}; ` +
      `${open.size === 0 ? 'none of these ports answers' : `${[...open].join(', ')} answers`}`,
  )
}

/** Every credential that was lent is told of. What ends the scan is thrown; other reasons are gathered. */
async function enterBy(
  way: Way,
  lent: readonly Credential[],
  means: WayMeans,
  reasons: string[],
): Promise<Entry | undefined> {
  const { access, address } = means
  let entry: Entry | undefined
  let failure: unknown
  for (const credential of lent) {
    if (entry || failure) {
      await access.told(credential, address, 'unanswered')
      continue
    }
    try {
      entry = await way.enter(credential, means)
      await access.told(credential, address, 'accepted')
    } catch (error) {
      await access.told(credential, address, outcomeOf(error))
      if (error instanceof ProbeFailure && !isOfAnotherHost(error)) reasons.push(error.message)
      else failure = error
    }
  }
  if (failure) throw failure
  return entry
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Refused) return 'refused'
  return error instanceof LetInForNothing ? 'accepted' : 'unanswered'
}

/** Whoever stands there now is shown nothing more. */
const isOfAnotherHost = (error: ProbeFailure): boolean =>
  error instanceof CertificateNotTrusted || (error instanceof HostFailure && error.kind === 'key')
