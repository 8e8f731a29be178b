import { hostname } from 'node:os'
import { collect } from './collecting/collect.ts'
import type { Machine } from './collecting/machine.ts'
import { fingerprintOf } from './fingerprint.ts'
import {
  endEnrolment,
  FRESH,
  readEnrolment,
  readIdentity,
  writeEnrolment,
  writeIdentity,
  writeProgress,
  type Identity,
} from './state/agent-state.ts'
import { VERSION } from './version.ts'
import { newKey } from './wire/signature.ts'
import { SignedCalls } from './wire/signed-calls.ts'

export interface Enrolment {
  readonly folder: string
  /** `https://host`; a path behind it is not looked at. */
  readonly server: string
  readonly token: string
}

export interface Enrolled extends Identity {
  /** Somebody has to approve the host before what it reports is taken. */
  readonly isPending: boolean
}

/** Makes a key of this host's own and shows the token once. Throws when the host is enrolled already, or is refused. */
export async function enrol({ folder, server, token }: Enrolment, machine: Machine): Promise<Enrolled> {
  const known = readIdentity(folder)
  if (known)
    throw new Error(`this host is enrolled at ${known.server}; run forget before it is enrolled anew`)
  const origin = originOf(server)
  const key = readEnrolment(folder, origin) ?? newKey()
  writeEnrolment(folder, origin, key)
  const unconfirmed: Identity = { server: origin, agentId: '', key }
  const { sections } = await collect(machine)
  const { status, body } = await new SignedCalls(folder, unconfirmed, FRESH).call('enrol', {
    v: 1,
    token,
    public_key: key.publicKey.toString('base64'),
    fingerprint: fingerprintOf(sections),
    hostname: hostname(),
    os: machine.platform,
    arch: machine.arch,
    version: VERSION,
  })
  if (typeof body['agent_id'] !== 'string')
    throw new Error('the server sent no agent id: is it a Rollcall server?')
  const identity = { ...unconfirmed, agentId: body['agent_id'] }
  writeIdentity(folder, identity)
  writeProgress(folder, { ...FRESH, counter: FIRST_COUNTER })
  endEnrolment(folder)
  return { ...identity, isPending: status === ACCEPTED_NOT_DONE }
}

const ACCEPTED_NOT_DONE = 202
/** The counters that enrolling used. */
const FIRST_COUNTER = 200

function originOf(server: string): string {
  const text = server.includes('://') ? server : `https://${server}`
  if (!URL.canParse(text))
    throw new Error(`server: ${server} is no address such as https://rollcall.example.org`)
  const { protocol, origin, hostname: host } = new URL(text)
  const isLocal = host === 'localhost' || /^(127\.|\[::1\])/.test(host)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    throw new Error('server: must begin with https://, because the token would be readable on the way')
  return origin
}
