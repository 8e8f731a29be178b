import type { Observation } from '../../../src/features/assets/observation.ts'
import type { Progress } from '../../../src/features/scans/probes/probe.ts'
import { sweep } from '../../../src/features/scans/probes/sweep.ts'

/** Run by a test inside a network namespace: sweeps the range given as the argument and prints what it saw as JSON. */
const [cidr = '', dnsServer] = process.argv.slice(2)
const { signal } = new AbortController()
const servers = dnsServer === undefined ? {} : { dnsServers: [dnsServer] }
const startedAt = performance.now()
const sinceStart = (): number => Math.round(performance.now() - startedAt)
const seen: Observation[] = []
const seenAfterMs: number[] = []
const sampledOnly: number[] = []
const onProgress = (progress: Progress): void => void sampledOnly.push(progress.sampledOnly ?? 0)
const options = { signal, now: () => new Date(), onProgress, ...servers }
for await (const one of sweep.run({ kind: 'cidr', cidr }, options)) {
  seen.push(one)
  seenAfterMs.push(sinceStart())
}
const sampled = { sampledOnlyMost: Math.max(...sampledOnly), sampledOnlyAtEnd: sampledOnly.at(-1) }
process.stdout.write(JSON.stringify({ seen, seenAfterMs, elapsedMs: sinceStart(), ...sampled }))
