import type { Observation } from '#features/assets/observation.ts'
import { probeSingleHost, type Host } from './single-host-probe.ts'
import type { Probe, ProbeOptions, ProbeTarget } from './probe.ts'
import { collect } from './wmi/read-windows-host.ts'
import { reading, type Reading } from './wmi/wmi-queries.ts'
import { signedIn } from './wmi/authentication.ts'

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

const SCAN_TIMEOUT_MS = 15 * 60_000

function run(target: ProbeTarget, options: ProbeOptions): AsyncIterable<Observation> {
  return probeSingleHost(target, options, {
    needs: 'a wmi scan needs a credential of kind winrm; add one that covers the host',
    totalMs: SCAN_TIMEOUT_MS,
    at: (host) =>
      signedIn(host.address, host, async function* (service) {
        yield await collect(overheard(reading(service), host.onRaw), host)
      }),
  })
}

/** Passes on the raw objects of each WMI class. */
function overheard(asked: Reading, onRaw: Host['onRaw']): Reading {
  return {
    ...asked,
    async all(wql, namespace) {
      const objects = await asked.all(wql, namespace)
      const reported = objects.map((it) => Object.fromEntries(it))
      onRaw(wql, JSON.stringify(reported, null, 1))
      return objects
    },
  }
}
