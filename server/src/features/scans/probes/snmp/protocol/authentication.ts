import type { Access, Credential, Outcome, SnmpCommunity, SnmpUser } from '../../credential-access.ts'
import { ProbeFailure } from '../../probe.ts'
import { communityAgent, discover, userAgent, type Agent, type Engine } from './agent.ts'
import { Channel, type Allowance, type WaitOptions } from './udp-channel.ts'
import { SnmpFault } from './snmp-error.ts'
import { oid } from './oid.ts'

export interface SnmpSession {
  readonly agent: Agent
  readonly channel: Channel
  /** Whether it was let in by a community that makers set; absent for users of SNMPv3. */
  readonly hasDefaultCommunity?: boolean
}

type SnmpCredential = SnmpCommunity | SnmpUser

const PORT = 161
/** All that one device may cost: octets that it sends, and time. */
const ALLOWANCE: Allowance = { octets: 32 * 1_048_576, ms: 5 * 60_000 }
/** The first question decides between a slow agent and none. */
const FIRST: WaitOptions = { firstMs: 1_500, tries: 3 }
/** As makers set them, in lower case. */
const DEFAULT_COMMUNITIES: ReadonlySet<string> = new Set([
  'public',
  'private',
  'cisco',
  'ilmi',
  'snmpd',
  'admin',
  'default',
])
const SYS_OBJECT_ID = oid('1.3.6.1.2.1.1.2.0')

/**
 * Tries what may be shown to the address: users before communities, SNMPv2c before SNMPv1, and tells what came of
 * each. Throws `ProbeFailure` with a reason for each, or the reason of the signal.
 */
export async function signIn(
  address: string,
  access: Access | undefined,
  signal: AbortSignal,
): Promise<SnmpSession> {
  const given = (await access?.credentialsFor(address, ['snmp_user', 'snmp_community'])) ?? []
  const credentials = given.filter(isSnmp).toSorted((a, b) => rankOf(a) - rankOf(b))
  if (!access || credentials.length === 0)
    throw new ProbeFailure(
      `no SNMP credential may be shown to ${address}; add a community or a user whose networks contain it`,
    )
  const reasons: string[] = []
  for (const credential of credentials) {
    const at = { address, port: credential.port ?? PORT }
    const tried = await tryOne(credential, { ...at, touches: access.touches }, signal)
    if (tried.session) {
      await access.recordOutcome(credential, address, 'accepted')
      return tried.session
    }
    await access.recordOutcome(credential, address, tried.outcome)
    reasons.push(`${credential.name} (${nameOf(credential)}): ${tried.why}`)
  }
  throw new ProbeFailure(`SNMP on ${address} lets nobody in. ${reasons.join('. ')}.`)
}

const isSnmp = (it: Credential): it is SnmpCredential =>
  it.kind === 'snmp_user' || it.kind === 'snmp_community'

const rankOf = (it: SnmpCredential): number => (it.kind === 'snmp_user' ? 0 : it.version === '2c' ? 1 : 2)

const nameOf = (it: SnmpCredential): string => (it.kind === 'snmp_user' ? 'SNMPv3' : `SNMPv${it.version}`)

type Attempt =
  | { readonly session: SnmpSession }
  | { readonly session?: undefined; readonly outcome: Outcome; readonly why: string }

async function tryOne(
  credential: SnmpCredential,
  at: { readonly address: string; readonly port: number; readonly touches: Access['touches'] },
  signal: AbortSignal,
): Promise<Attempt> {
  let channel: Channel | undefined
  let engine: Engine | undefined
  try {
    const wrong = unusable(credential)
    if (wrong) return { outcome: 'unanswered', why: wrong }
    channel = await Channel.open(at, signal, { ...ALLOWANCE, touches: at.touches })
    if (credential.kind === 'snmp_user') engine = await discover(channel, FIRST)
    const agent = engine
      ? userAgent(channel, credential as SnmpUser, engine)
      : communityAgent(channel, credential as SnmpCommunity)
    await firstQuestion(agent)
    return {
      session: {
        agent,
        channel,
        ...(credential.kind === 'snmp_community' && {
          hasDefaultCommunity: DEFAULT_COMMUNITIES.has(credential.community.toLowerCase()),
        }),
      },
    }
  } catch (error) {
    channel?.close()
    if (!(error instanceof SnmpFault)) throw error
    const isRefused = error.kind === 'refused' || (error.kind === 'silent' && engine !== undefined)
    return {
      outcome: isRefused ? 'refused' : 'unanswered',
      why: whyOf(error, { ...at, credential, isKnown: engine !== undefined }),
    }
  }
}

/** That the device has no such thing is an answer too: it let us ask. */
async function firstQuestion(agent: Agent): Promise<void> {
  try {
    await agent.ask({ kind: 'get', oids: [SYS_OBJECT_ID] }, FIRST)
  } catch (error) {
    if (!(error instanceof SnmpFault) || !['noSuchName', 'tooBig', 'failed'].includes(error.kind)) throw error
  }
}

/** RFC 3414, 11.2, asks for eight characters; none at all cannot even be stretched. */
function unusable(credential: SnmpCredential): string | undefined {
  if (credential.kind === 'snmp_community') return undefined
  const { auth, privacy } = credential
  if (auth?.password === '' || privacy?.password === '') return 'its password is empty'
  return privacy && !auth ? 'privacy without authentication is not possible' : undefined
}

interface FailureContext {
  readonly address: string
  readonly port: number
  readonly credential: SnmpCredential
  /** The engine answered, so the port is open and only this user is not. */
  readonly isKnown: boolean
}

function whyOf({ kind, message }: SnmpFault, { port, credential, isKnown }: FailureContext): string {
  if (kind !== 'silent') return kind === 'closed' ? `UDP port ${port}: ${message}` : message
  if (isKnown && credential.kind === 'snmp_user')
    return 'the agent tells its engine id but gives this user no answer: wrong privacy password or protocol, or an address that it does not serve'
  return credential.kind === 'snmp_user'
    ? `no answer from UDP port ${port} to SNMPv3: nothing listens there, a firewall drops it, or the agent has no SNMPv3`
    : `no answer from UDP port ${port}: nothing listens there, a firewall drops it, or the community is wrong, to which agents are silent`
}
