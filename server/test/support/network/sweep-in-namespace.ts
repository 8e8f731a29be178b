import type { Observation } from '../../../src/features/assets/observation.ts'
import { sweep } from '../../../src/features/scans/probes/sweep.ts'

/** Run by a test inside a network namespace: sweeps the range given as the argument and prints what it saw as JSON. */
const [cidr = '', dnsServer] = process.argv.slice(2)
const { signal } = new AbortController()
const servers = dnsServer === undefined ? {} : { dnsServers: [dnsServer] }
const startedAt = performance.now()
const seen: Observation[] = []
for await (const one of sweep.run({ kind: 'cidr', cidr }, { signal, now: () => new Date(), ...servers }))
  seen.push(one)
process.stdout.write(JSON.stringify({ seen, elapsedMs: Math.round(performance.now() - startedAt) }))
