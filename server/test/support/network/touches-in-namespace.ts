import { text } from 'node:stream/consumers'
import type { SshKey } from '../../../src/features/scans/probes/credential-access.ts'
import { ssh } from '../../../src/features/scans/probes/ssh.ts'
import { sweep } from '../../../src/features/scans/probes/sweep.ts'
import { TouchCounter } from '../../../src/features/scans/probes/touches/touch-counter.ts'

/**
 * Run by a test inside a network namespace: sweeps a network, or logs in to a host with the key on its input, and
 * prints what the scan counted for each address.
 */
const [kind, target = ''] = process.argv.slice(2)
const touches = new TouchCounter(() => new Date())
const options = { signal: new AbortController().signal, now: () => new Date() }

async function scan(): Promise<void> {
  if (kind === 'sweep') {
    for await (const _ of sweep.run({ kind: 'cidr', cidr: target }, { ...options, touches }));
    return
  }
  const credential = JSON.parse(await text(process.stdin)) as SshKey
  const access = {
    touches,
    credentialsFor: () => Promise.resolve([credential]),
    recordOutcome: () => Promise.resolve(touches.count(target, { logins: 1 })),
    knowHostKey: () => Promise.resolve('new' as const),
  }
  for await (const _ of ssh.run({ kind: 'host', host: target }, { ...options, access }));
}

await scan()
process.stdout.write(JSON.stringify(await touches.takeAll(5_000)))
