import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, Refusal } from '#platform/errors.ts'
import { newUuid } from '#platform/uuid.ts'
import { submitOne } from '../receiving/receive-inventory.ts'
import { outOfScope, type TokenContext } from '../tokens/token-authentication.ts'
import * as tokens from '../tokens/token-store.ts'
import { REVOKED } from './revoked.ts'
import * as keys from './agent-key-store.ts'
import { isOtherHost, knownAfter } from './fingerprint.ts'
import { missingSections, receivedIn, type SectionReport, type Sections } from './report-sections.ts'
import { madeFrom, observationIn } from './section-observation.ts'
import * as store from './signed-agent-store.ts'

export interface NewAgent {
  readonly keyId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly hostname: string
  readonly version: string
  readonly address: string
  readonly fingerprint: store.Texts
}

export interface EnrolledAgent {
  readonly agentId: string
  readonly isNew: boolean
  /** It reports nothing until somebody approves it. */
  readonly isPending: boolean
}

/**
 * Adds a host with its key. The same key again is the same agent, and so is the same hardware as that of an agent that was
 * revoked: its asset goes on. Throws 403 `revoked` for a key that was revoked, 403 `token_scope` for a token that has
 * admitted as many hosts as it may.
 */
export async function enrolAgent(
  { ctx, tokenId, needsApproval: isPending }: TokenContext,
  agent: NewAgent,
): Promise<EnrolledAgent> {
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    const known = await keys.ownKey(inner, agent.keyId)
    if (known?.isRevoked) throw new Refusal(403, 'revoked', REVOKED)
    if (known) {
      const before = await store.lockedAgent(inner, known.agentId)
      return { agentId: known.agentId, isNew: false, isPending: before?.isPending === true }
    }
    if (!(await tokens.takeUse(inner, tokenId)))
      throw outOfScope('as many hosts have enrolled with it as it admits')
    const former = await store.reviveAgent(inner, { fingerprint: agent.fingerprint, tokenId, isPending })
    const id = former ?? newUuid(inner.now())
    if (former === undefined)
      await store.addAgent(inner, { ...agent, id, tokenId, name: agent.hostname, isPending })
    const isAdded = await keys.addKey(inner, { ...agent, agentId: id })
    if (!isAdded) throw invalid('public_key', 'belongs to an agent already')
    await record(inner, 'agent.enrolled', { type: 'agent', id }, { name: agent.hostname, tokenId })
    return { agentId: id, isNew: true, isPending }
  })
}

export interface AgentReport extends SectionReport {
  readonly version: string
  readonly address: string
  readonly fingerprint: store.Texts
  /** The agent's own counter was lower than the one that the server has seen. */
  readonly isCounterBehind: boolean
}

export interface Receipt {
  /** Sections that are to be sent. */
  readonly want: readonly string[]
  readonly mustChangeKey: boolean
  /** Nothing was taken: nobody has approved the host yet. */
  readonly isPending?: boolean
}

/**
 * Takes a report. One from other hardware than the key was enrolled on is not taken: the disk was copied. Both hosts must make
 * keys of their own, and until then nothing that the second host sends reaches an asset.
 */
export async function takeReport(ctx: Ctx, key: keys.AgentKey, report: AgentReport): Promise<Receipt> {
  permit(ctx, 'assets:write')
  const outcome = await atomically(ctx, async (inner) => {
    const agent = await store.lockedAgent(inner, key.agentId)
    if (!agent) throw new Error(`agent ${key.agentId} has a key and no row`)
    const isCopy = key.isRetired || isOtherHost(agent.fingerprint, report.fingerprint)
    const mustChangeKey = key.mustChange || isCopy || report.isCounterBehind
    if (mustChangeKey && (await keys.demandChange(inner, key.keyId)))
      await record(
        inner,
        'agent.key_shared',
        { type: 'agent', id: agent.id },
        { isCopy, address: report.address },
      )
    if (isCopy) return { receipt: { want: [], mustChangeKey } }
    if (agent.isPending) {
      await store.noteWaiting(inner, agent.id, report)
      return { receipt: { want: [], mustChangeKey, isPending: true } }
    }
    const refused = await takeSections(inner, { agent, key, report })
    return { refused, receipt: { want: missingSections(agent.sectionHashes, report), mustChangeKey } }
  })
  if (outcome.refused) throw invalid(outcome.refused.field, outcome.refused.message)
  return outcome.receipt
}

interface Taking {
  readonly agent: store.SignedAgent
  readonly key: keys.AgentKey
  readonly report: AgentReport
}

async function takeSections(ctx: Ctx, { agent, key, report }: Taking) {
  const sections = sectionsAfter(agent.sections, report)
  const token = await tokens.token(ctx, agent.tokenId)
  const observation = observationIn({
    sections,
    keyId: key.keyId.toString('hex'),
    sourceKey: agent.sourceKey,
    seenAt: ctx.now(),
    tags: token?.tags ?? [],
    ...(report.softwareChanges?.base === agent.sectionHashes['software'] && {
      softwareChanges: report.softwareChanges,
    }),
    agentVersion: report.version,
    knownOrigins: agent.softwareOrigins,
  })
  const refused = await submitOne(ctx, 'agent', observation)
  if (refused) {
    await store.noteRefused(ctx, agent.id, `${refused.field}: ${refused.message}`)
    return refused
  }
  const observedFrom = madeFrom(key.keyId)
  if (receivedIn(agent.sectionHashes, report).length === 0) {
    await store.noteUnchanged(ctx, agent.id, { ...report, observedFrom })
    return undefined
  }
  const { software: _, ...kept } = sections
  await store.noteTaken(ctx, agent.id, {
    name: observation.name ?? agent.id,
    version: report.version,
    address: report.address,
    fingerprint: knownAfter(agent.fingerprint, report.fingerprint),
    sectionHashes: hashesAfter(agent.sectionHashes, report),
    sections: kept,
    observedFrom,
    softwareOrigins:
      'software' in report.changed ? (observation.software?.complete ?? []) : agent.softwareOrigins,
  })
  return undefined
}

/** Sections that the host no longer has are forgotten, those that failed stay. */
function sectionsAfter(before: Sections, { changed, hashes, failed }: SectionReport): Sections {
  const staying = Object.entries(before).filter(([name]) => name in hashes || failed.has(name))
  return { ...Object.fromEntries(staying), ...changed }
}

/** Of what was really received, whatever the report says of the rest. */
function hashesAfter(before: store.Texts, report: SectionReport): store.Texts {
  const { hashes, failed } = report
  const staying = Object.entries(before).filter(([name]) => name in hashes || failed.has(name))
  const received = receivedIn(before, report).map((name) => [name, hashes[name] ?? ''])
  return Object.fromEntries([...staying, ...received]) as store.Texts
}

export interface KeyChange {
  readonly key: keys.AgentKey
  readonly newKeyId: Buffer
  readonly newPublicKey: Buffer
  readonly fingerprint: store.Texts
  readonly address: string
}

/**
 * Gives a host a new key; answers the agent's id. The host that the key was enrolled on goes on as the agent that it was.
 * Any other host that held the key becomes an agent of its own, that is linked with nothing. It counts as one more use of the
 * enrolment token; when the token admits none, it waits until somebody approves it.
 */
export async function changeKey(ctx: Ctx, change: KeyChange): Promise<string> {
  permit(ctx, 'assets:write')
  const { key, newKeyId, newPublicKey, fingerprint, address } = change
  return atomically(ctx, async (inner) => {
    const known = await keys.ownKey(inner, newKeyId)
    if (known) return known.agentId // the answer to the first attempt was lost
    const agent = await store.lockedAgent(inner, key.agentId)
    if (!agent) throw new Error(`agent ${key.agentId} has a key and no row`)
    const isCopy = key.isRetired || isOtherHost(agent.fingerprint, fingerprint)
    const agentId = isCopy ? newUuid(inner.now()) : agent.id
    if (isCopy) {
      const { tokenId } = agent
      const isPending = !(await isAdmitted(inner, tokenId))
      const host = { id: agentId, tokenId, name: '', version: '', address, fingerprint, isPending }
      await store.addAgent(inner, host)
    } else await keys.retireKey(inner, key.keyId)
    if (!(await keys.addKey(inner, { agentId, keyId: newKeyId, publicKey: newPublicKey, counter: 0 })))
      throw invalid('public_key', 'belongs to an agent already')
    await record(inner, 'agent.key_changed', { type: 'agent', id: agentId }, { isCopy, before: agent.id })
    return agentId
  })
}

/** Takes a use of the token. False when a host has to be approved, as the token admits none by itself any more, or never did. */
async function isAdmitted(ctx: Ctx, tokenId: string): Promise<boolean> {
  const token = await tokens.token(ctx, tokenId)
  if (!token || token.isExpired || token.revokedAt !== null) return false
  return (await tokens.takeUse(ctx, tokenId)) && !token.needsApproval
}
