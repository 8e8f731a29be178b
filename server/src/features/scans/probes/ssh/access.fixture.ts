import { readFileSync } from 'node:fs'
import type { Observation } from '#features/assets/observation.ts'
import type { Access, Credential, HostKey, Outcome, SshKey, SshPassword } from '../credential-access.ts'
import { sshWithin } from '../ssh.ts'
import { USUAL_LIMITS, type Limits } from './timeouts-and-limits.ts'
import { PASSPHRASE, type SshLab } from '#test/support/scanned-hosts/ssh-servers.ts'

export const HOST = '127.0.0.1'
const NOW = new Date('2026-11-21T00:00:00Z')

export type TestKeys = Map<string, HostKey>

/** What a probe was told and asked, and the keys that it may know. */
export interface TestAccess extends Access {
  readonly outcomes: { readonly name: string; readonly address: string; readonly outcome: Outcome }[]
  readonly known: Map<string, HostKey>
}

/** The vault as a probe sees it, in memory: any other key than the first is a change. */
export function accessWith(
  credentials: readonly Credential[],
  known = new Map<string, HostKey>(),
): TestAccess {
  const outcomes: TestAccess['outcomes'] = []
  return {
    outcomes,
    known,
    credentialsFor: (_address, kinds) =>
      Promise.resolve(credentials.filter(({ kind }) => kinds.includes(kind))),
    recordOutcome({ name }, address, outcome) {
      outcomes.push({ name, address, outcome })
      return Promise.resolve()
    },
    knowHostKey(key) {
      const place = `${key.address} ${key.port}`
      const before = known.get(place)
      if (before) return Promise.resolve(before.fingerprint === key.fingerprint ? 'same' : 'changed')
      known.set(place, key)
      return Promise.resolve('new')
    },
    knownAlgorithms(address, port) {
      const key = known.get(`${address} ${port}`)
      return Promise.resolve(key ? [key.algorithm] : [])
    },
  }
}

export const keyOf = (
  { username, keys }: SshLab,
  port: number,
  name: keyof SshLab['keys'] = 'ed25519',
): SshKey => ({
  kind: 'ssh_key',
  id: name,
  name,
  port,
  username,
  privateKey: readFileSync(keys[name], 'utf8'),
  ...(name === 'encrypted' && { passphrase: PASSPHRASE }),
})

export const passwordOf = (place: SshLab, port: number, secret = place.password): SshPassword => ({
  kind: 'ssh_password',
  id: 'password',
  name: 'password',
  port,
  username: place.username,
  password: secret,
})

export interface Looking {
  readonly limits?: Partial<Limits>
  readonly signal?: AbortSignal
  /** What is seen stands here even if the scan fails. */
  readonly into?: Observation[]
}

/** A scan of this machine alone. */
export async function look(access: Access | undefined, looking: Looking = {}): Promise<Observation[]> {
  const { limits, signal = new AbortController().signal, into = [] } = looking
  const options = { signal, now: () => NOW, ...(access && { access }) }
  const probe = sshWithin({ ...USUAL_LIMITS, ...limits })
  for await (const one of probe.run({ kind: 'host', host: HOST }, options)) into.push(one)
  return into
}

export function only(seen: readonly Observation[]): Observation {
  const [one] = seen
  if (!one || seen.length !== 1) throw new Error(`${seen.length} observations`)
  return one
}
