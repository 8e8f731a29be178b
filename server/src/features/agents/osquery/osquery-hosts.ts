import { atomically, permit, type Ctx } from '#platform/context.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import * as store from '../agent-store.ts'
import { hardwareWithoutJunk, hostOf } from '../receiving/host-of-report.ts'
import { contactOf, receiveInventory, type Sender } from '../receiving/receive-inventory.ts'
import { failuresAfter, withResting } from './failing-queries.ts'
import { contentOf, type HostResults } from './host-content.ts'

/** What a host tells of itself when it enrols. */
export interface EnrollingHost {
  /** Of its database, not of its hardware: cloned machines share the UUID of that. */
  readonly instanceId: string
  readonly uuid?: string
  readonly serial?: string
}

const ENROL_AGAIN_AFTER_MS = 5 * 60_000
/** Hosts ask every five minutes; they are given the queries once an hour, spread over ten minutes by their ids. */
const DUE_AFTER_MS = 55 * 60_000
const DUE_SPREAD_MS = 10 * 60_000

/**
 * The key of a host, of which the digest is stored; the one it had before is no longer taken. Undefined within five minutes
 * of the last time: two hosts with one identity would take the key from each other without end.
 */
export async function enrolHost(sender: Sender, host: EnrollingHost): Promise<string | undefined> {
  const { ctx, tokenId } = sender.token
  permit(ctx, 'assets:write')
  const { instanceId, ...told } = host
  return atomically(ctx, async (inner) => {
    const hardware = hardwareWithoutJunk(told)
    const known = await hostOf(inner, { kind: 'osquery', deviceId: instanceId, tokenId, hardware })
    const now = inner.now()
    const { enrolledAt } = known
    if (enrolledAt !== null && now.getTime() - Date.parse(enrolledAt) < ENROL_AGAIN_AFTER_MS) return undefined
    const nodeKey = newSecret()
    await store.setNodeKey(inner, known.id, { nodeKeyHash: sha256(nodeKey), hardware, at: now })
    await store.noteContact(inner, [known.id], contactOf(inner, sender))
    return nodeKey
  })
}

/** Undefined when no host of the tenant has the key: it must enrol again. */
export async function hostOfNodeKey(
  sender: Sender,
  nodeKey: string,
): Promise<store.EnrolledHost | undefined> {
  const { ctx } = sender.token
  permit(ctx, 'assets:write')
  if (!/^[0-9a-f]{64}$/.test(nodeKey)) return undefined
  const host = await store.byNodeKey(ctx, sha256(nodeKey))
  if (host) await store.noteContact(ctx, [host.id], contactOf(ctx, sender))
  return host
}

/** Whether the host should be asked for its inventory now. */
export function isDue(ctx: Ctx, { id, lastReportAt }: store.EnrolledHost): boolean {
  if (lastReportAt === null) return true
  const spread = Number.parseInt(id.slice(-4), 16) / 0x10000
  return ctx.now().getTime() - Date.parse(lastReportAt) >= DUE_AFTER_MS + spread * DUE_SPREAD_MS
}

export async function takeResults(
  sender: Sender,
  host: store.EnrolledHost,
  results: HostResults,
): Promise<void> {
  const { ctx } = sender.token
  const failures = failuresAfter(host.queryFailures, results, ctx.now())
  if (JSON.stringify(failures) !== JSON.stringify(host.queryFailures))
    await store.noteQueryFailures(ctx, host.id, failures)
  const content = contentOf(withResting(results, failures))
  if (content.size === 0) return
  await receiveInventory(sender, {
    agentId: host.id,
    kind: 'osquery',
    version: sender.version,
    deviceId: host.deviceId,
    isPartial: true,
    itemType: 'Computer',
    tag: '',
    content,
  })
}
