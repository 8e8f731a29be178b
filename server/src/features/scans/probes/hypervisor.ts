import type { Observation } from '#features/assets/observation.ts'
import type { Credential, Outcome } from './credential-access.ts'
import { hyperV } from './hypervisor/hyper-v.ts'
import { libvirtOverSsh } from './hypervisor/libvirt-ssh.ts'
import { libvirtOverTls } from './hypervisor/libvirt-tls.ts'
import { openPortsAmong } from './target/open-ports.ts'
import { proxmox } from './hypervisor/proxmox.ts'
import { observationOf } from './hypervisor/machine-observation.ts'
import {
  InsufficientAccess,
  CredentialRefused,
  type HypervisorSession,
  type HypervisorLimits,
  type AccessMethod,
  type AccessContext,
} from './hypervisor/access-method.ts'
import { probeSingleHost, type Host } from './single-host-probe.ts'
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

/** Tried in this order where several answer. A new method also needs its kinds of credentials in credentials-for-scan.ts. */
const accessMethods: readonly AccessMethod[] = [proxmox, libvirtOverTls, hyperV, libvirtOverSsh]

/** The probe with limits of the caller's, for tests. */
export const hypervisorWithin = (limits: HypervisorLimits): Probe => ({
  type: 'hypervisor',
  title: 'Hypervisors',
  accepts: (target) =>
    target.kind === 'host' ? true : 'a hypervisor scan asks one host; give its address or name',
  run: (target, options) => run(target, options, limits),
})

/**
 * Reads a host of virtual machines and its guests: Proxmox VE by its API, Hyper-V by WS-Management, others by libvirt,
 * over TLS or SSH. The method is chosen by open ports and available credentials. Changes nothing on the host.
 */
export const hypervisor: Probe = hypervisorWithin(LIMITS)

const run = (
  target: ProbeTarget,
  options: ProbeOptions,
  limits: HypervisorLimits,
): AsyncIterable<Observation> =>
  probeSingleHost(target, options, {
    needs: 'a hypervisor scan needs a credential; add one that covers the host',
    totalMs: limits.totalMs,
    at: (host) => readAll(host, limits),
  })

async function* readAll(at: Host, limits: HypervisorLimits): AsyncGenerator<Observation> {
  const session = await logInByFirstMethod({ ...at, host: at.name, limits })
  try {
    for await (const seen of session.read()) yield observationOf(seen, at.now())
  } finally {
    await session.close()
  }
}

/** Tries the methods in turn, those first whose port is open: only a few credentials may be tried on a host. */
async function logInByFirstMethod(means: AccessContext): Promise<HypervisorSession> {
  const open = await openPortsAmong(
    means.address,
    accessMethods.map(({ port }) => port),
    means.signal,
    means.access.touches,
  )
  const inOrder = [
    ...accessMethods.filter(({ port }) => open.has(port)),
    ...accessMethods.filter(({ port }) => !open.has(port)),
  ]
  const reasons: string[] = []
  for (const method of inOrder) {
    const credentials = await means.access.credentialsFor(means.address, method.kinds)
    const session = await logInBy(method, credentials, means, reasons)
    if (session) return session
  }
  if (reasons.length > 0) throw new ProbeFailure(reasons.join('; '))
  const places = accessMethods.map(({ title, port }) => `${title} on ${port}`).join(', ')
  throw new ProbeFailure(
    `no credential may be shown to ${means.address} for any of: ${places}; ` +
      `${open.size === 0 ? 'none of these ports answers' : `${[...open].join(', ')} answers`}`,
  )
}

/** Records the outcome of every credential. Throws what must end the scan; collects other failures in `reasons`. */
async function logInBy(
  method: AccessMethod,
  credentials: readonly Credential[],
  means: AccessContext,
  reasons: string[],
): Promise<HypervisorSession | undefined> {
  const { access, address } = means
  let session: HypervisorSession | undefined
  let failure: unknown
  for (const credential of credentials) {
    if (session || failure) {
      await access.recordOutcome(credential, address, 'unanswered')
      continue
    }
    try {
      session = await method.logIn(credential, means)
      await access.recordOutcome(credential, address, 'accepted')
    } catch (error) {
      await access.recordOutcome(credential, address, outcomeOf(error))
      if (error instanceof ProbeFailure && !isOfAnotherHost(error)) reasons.push(error.message)
      else failure = error
    }
  }
  if (failure) throw failure
  return session
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof CredentialRefused) return 'refused'
  return error instanceof InsufficientAccess ? 'accepted' : 'unanswered'
}

/** The host key or certificate is not the known one: no further credential may be sent. */
const isOfAnotherHost = (error: ProbeFailure): boolean =>
  error instanceof CertificateNotTrusted || (error instanceof HostFailure && error.kind === 'key')
