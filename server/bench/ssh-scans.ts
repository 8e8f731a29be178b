/** Scans over SSH at the size of a installation: many addresses of one real server, beside OpenSSH's own client. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { ssh } from '#features/scans/probes/ssh.ts'
import { scriptOf, unixQuestions } from '#features/scans/probes/ssh/unix/unix-script.ts'
import { concurrently } from '#features/scans/probes/sweep/concurrency.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { openSshLab, type SshLab } from '../test/support/scanned-hosts/ssh-servers.ts'

/** Every address of 127.0.0.0/8 is this machine. */
const RANGES = { few: '127.84.0.0/25', many: '127.85.0.0/22' }
/** As many as the probe looks at. */
const LANES = 32
const OPEN_SSH_HOSTS = 128
const SAMPLE_MS = 50
const MIB = 1024 * 1024

interface Run {
  readonly hosts: number
  readonly seconds: number
  /** The most memory of this process at any time, in MiB; of the probe alone. */
  readonly peakMib?: number
}

/** The probe over 128 and over 1,024 hosts, and OpenSSH over 128: with nothing to do, and with the same script. */
export async function benchSsh(): Promise<CommandResult> {
  const place = await openSshLab()
  try {
    const { port } = await place.sshd(['ListenAddress 0.0.0.0', 'MaxStartups 1000', 'LogLevel QUIET'])
    await scan(place, port, '127.86.0.0/28')
    const before = await scan(place, port, RANGES.few)
    const many = await scan(place, port, RANGES.many)
    // the same before and after: a machine that others use too is not the same all the time
    const few = both(before, await scan(place, port, RANGES.few))
    const nothing = await openSsh(place, port, { command: 'true', input: '', hosts: OPEN_SSH_HOSTS })
    const input = scriptOf(unixQuestions, '=bench=')
    const same = await openSsh(place, port, { command: 'sh -s', input, hosts: OPEN_SSH_HOSTS })
    const runs = { few, many, openSshTrue: nothing, openSshSameScript: same }
    return { json: runs, text: textOf(runs) }
  } finally {
    await place.close()
  }
}

const both = (one: Run, other: Run): Run => ({
  hosts: one.hosts + other.hosts,
  seconds: one.seconds + other.seconds,
  peakMib: Math.max(one.peakMib ?? 0, other.peakMib ?? 0),
})

type Runs = Readonly<Record<'few' | 'many' | 'openSshTrue' | 'openSshSameScript', Run>>

function textOf({ few, many, openSshTrue, openSshSameScript }: Runs): string {
  const line = (title: string, run: Run): string =>
    `${title.padEnd(40)} ${String(run.hosts).padStart(5)} hosts ${run.seconds.toFixed(1).padStart(7)} s ` +
    `${perHost(run).toFixed(0).padStart(5)} ms a host${run.peakMib === undefined ? '' : ` ${run.peakMib} MiB at most`}`
  return [
    line('scan', few),
    line('scan', many),
    line('ssh host true', openSshTrue),
    line('ssh host, the same questions', openSshSameScript),
    `time per host at 1,024 against 128: ${(perHost(many) / perHost(few)).toFixed(2)}`,
    `scan against ssh with the same questions: ${(perHost(few) / perHost(openSshSameScript)).toFixed(2)}`,
    `scan against ssh with nothing to do: ${(perHost(few) / perHost(openSshTrue)).toFixed(2)}`,
  ].join('\n')
}

const perHost = ({ hosts, seconds }: Run): number => (seconds * 1_000) / hosts

async function scan(place: SshLab, port: number, cidr: string): Promise<Run> {
  const { username } = place
  const privateKey = await readFile(place.keys.ed25519, 'utf8')
  const access = {
    credentialsFor: () =>
      Promise.resolve([{ kind: 'ssh_key' as const, id: 'b', name: 'b', username, privateKey, port }]),
    recordOutcome: () => Promise.resolve(),
    knowHostKey: () => Promise.resolve('new' as const),
  }
  let peak = 0
  const sampling = setInterval(() => void (peak = Math.max(peak, process.memoryUsage().rss)), SAMPLE_MS)
  const start = performance.now()
  let hosts = 0
  const options = { signal: new AbortController().signal, now: () => new Date(), access }
  for await (const { software } of ssh.run({ kind: 'cidr', cidr }, options)) {
    if ((software?.items.length ?? 0) > 0) hosts++
  }
  clearInterval(sampling)
  return { hosts, seconds: (performance.now() - start) / 1_000, peakMib: Math.round(peak / MIB) }
}

interface Errand {
  readonly command: string
  readonly input: string
  readonly hosts: number
}

async function openSsh(place: SshLab, port: number, { command, input, hosts }: Errand): Promise<Run> {
  const addresses = Array.from({ length: hosts }, (_, i) => `127.87.0.${i + 1}`)
  const start = performance.now()
  let done = 0
  for await (const code of concurrently(addresses, LANES, (address) =>
    login(place, port, { address, command, input }),
  ))
    if (code === 0) done++
  return { hosts: done, seconds: (performance.now() - start) / 1_000 }
}

function login(
  { username, keys }: SshLab,
  port: number,
  { address, command, input }: { readonly address: string; readonly command: string; readonly input: string },
): Promise<number> {
  const settings = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'LogLevel=ERROR',
  ]
  const args = [...settings.flatMap((it) => ['-o', it]), '-i', keys.ed25519, '-p', String(port)]
  const child = spawn('ssh', [...args, `${username}@${address}`, command], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}
