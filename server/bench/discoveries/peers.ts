import { spawn } from 'node:child_process'
import { scriptOf, unixQuestions } from '#features/scans/probes/ssh/unix/unix-script.ts'
import { concurrently } from '#features/scans/probes/sweep/concurrency.ts'
import { RANGE, type SshdNetwork } from './sshd-network.ts'

export interface PeerRun {
  readonly sweepSeconds: number
  readonly loginSeconds: number
  readonly found: number
  readonly loggedIn: number
}

/** What an administrator would do: `nmap -sn`, then `ssh` to each live address with the same questions, so many at once. */
export async function nmapAndSsh(network: SshdNetwork, atOnce: number): Promise<PeerRun> {
  const startedAt = performance.now()
  const listed = await network.run('scanner', 'nmap', '-sn', '-n', '-oG', '-', RANGE)
  const live = [...listed.matchAll(/^Host: (\S+) .*Status: Up/gm)].map(([, address = '']) => address)
  const sweptAt = performance.now()
  const hosts = live.filter((address) => network.hosts.includes(address))
  let loggedIn = 0
  const input = scriptOf(unixQuestions, '=bench=')
  for await (const code of concurrently(hosts, atOnce, (it) => login(network, it, input)))
    if (code === 0) loggedIn++
  return {
    sweepSeconds: (sweptAt - startedAt) / 1_000,
    loginSeconds: (performance.now() - sweptAt) / 1_000,
    found: hosts.length,
    loggedIn,
  }
}

function login({ space, keyFile, username }: SshdNetwork, address: string, input: string): Promise<number> {
  const settings = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'LogLevel=ERROR',
  ]
  const ssh = [
    'ssh',
    ...settings.flatMap((it) => ['-o', it]),
    '-i',
    keyFile,
    `${username}@${address}`,
    'sh -s',
  ]
  const child = spawn('ip', ['netns', 'exec', space, ...ssh], { stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}
