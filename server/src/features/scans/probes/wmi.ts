import { lookup } from 'node:dns/promises'
import type { Observation } from '#features/assets/observation.ts'
import { ProbeFailure, type Probe, type ProbeOptions, type ProbeTarget } from './probe.ts'
import { collect } from './wmi/collect.ts'
import { reading, type Reading } from './wmi/read-machine.ts'
import { signedIn } from './wmi/sign-in.ts'

/**
 * Reads a Windows host through WMI over WS-Management: over TLS, or over plain HTTP with every message sealed by
 * NTLM. It only reads, starts no process there, and never sends a password in the clear.
 */
export const wmi: Probe = {
  type: 'wmi',
  title: 'Windows management',
  accepts: (target) => target.kind === 'host' || 'a wmi scan asks one Windows host; give its address or name',
  run,
}

/** Whatever the host does: a scan of one host is over by then. */
const SCAN_TIMEOUT_MS = 15 * 60_000

async function* run(target: ProbeTarget, options: ProbeOptions): AsyncGenerator<Observation> {
  const { now, onProgress, access } = options
  if (!access)
    throw new ProbeFailure('a wmi scan needs a credential of kind winrm; add one that covers the host')
  const host = target.kind === 'host' ? target.host : target.cidr
  const address = await addressOf(host)
  const late = AbortSignal.timeout(SCAN_TIMEOUT_MS)
  const signal = AbortSignal.any([options.signal, late])
  const tell = (done: number): void =>
    onProgress?.({ done, total: 1, found: done, ratePerSecond: 0, remainingSeconds: 0 })
  tell(0)
  try {
    yield* signedIn(address, { access, signal, now }, async function* (service) {
      yield await collect(overheard(reading(service), address, options), { address, now })
    })
    tell(1)
  } catch (error) {
    options.signal.throwIfAborted()
    throw late.aborted ? new ProbeFailure(`${host} took longer than 15 minutes`) : error
  }
}

/** What each class told, for the person who wants to read it. */
function overheard(asked: Reading, address: string, { onRaw }: ProbeOptions): Reading {
  return {
    ...asked,
    async all(wql, namespace) {
      const objects = await asked.all(wql, namespace)
      onRaw?.({
        address,
        part: wql,
        text: JSON.stringify(
          objects.map((it) => Object.fromEntries(it)),
          null,
          1,
        ),
      })
      return objects
    },
  }
}

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch {
    throw new ProbeFailure(
      `the host name ${host} does not resolve; check the name and this machine's name servers`,
    )
  }
}
