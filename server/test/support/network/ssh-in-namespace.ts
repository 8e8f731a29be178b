import { text } from 'node:stream/consumers'
import type { Observation } from '../../../src/features/assets/observation.ts'
import type { SshKey } from '../../../src/features/scans/probes/credential-access.ts'
import { ssh } from '../../../src/features/scans/probes/ssh.ts'

/** Run by a test inside a network namespace: scans the host given as the argument with the key on its input. */
const [host = ''] = process.argv.slice(2)
const credential = JSON.parse(await text(process.stdin)) as SshKey
const access = {
  credentialsFor: () => Promise.resolve([credential]),
  recordOutcome: () => Promise.resolve(),
  knowHostKey: () => Promise.resolve('new' as const),
}
const { signal } = new AbortController()
const seen: Observation[] = []
for await (const one of ssh.run({ kind: 'host', host }, { signal, now: () => new Date(), access }))
  seen.push(one)
process.stdout.write(JSON.stringify(seen))
