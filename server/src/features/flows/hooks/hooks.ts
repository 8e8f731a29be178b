import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import * as flows from '../flow-store.ts'
import type { Trigger } from '../flow.ts'
import * as store from './hook-store.ts'

export type { Hook } from './hook-store.ts'

/** Addresses that start a flow from outside. The token in one is shown once and stored as a digest. */

export interface IssuedHook {
  /** Below the address of the server. */
  readonly path: string
  /** The key of signatures; null where requests need none. */
  readonly secret: string | null
}

/** Of the sealed signature key: it can be opened for its flow alone. */
export const secretContext = (flowId: string): string => `flow hook ${flowId}`

/** Null: it was never made. */
export async function getHook(ctx: Ctx, flowId: string): Promise<store.Hook | null> {
  permit(ctx, 'flows:read')
  if (!isUuid(flowId) || !(await flows.find(ctx, flowId))) throw notFound('flow')
  return (await store.find(ctx, flowId)) ?? null
}

/** A new address, and a new key if the newest version or the published one asks for signatures. The address before answers 404 from now on. */
export async function rotateHook(ctx: Ctx, flowId: string): Promise<IssuedHook> {
  permit(ctx, 'flows:write')
  return atomically(ctx, async (inner) => {
    const flow = isUuid(flowId) ? await flows.lock(inner, flowId) : undefined
    if (!flow) throw notFound('flow')
    const [newest] = await flows.versions(inner, flowId)
    const trigger = newest?.definition.trigger
    if (trigger?.kind !== 'webhook') throw conflict('the flow is not started by a webhook')
    const token = newSecret()
    const live = flow.enabled ? await store.published(inner, flowId) : undefined
    const isLive = live?.trigger.kind === 'webhook'
    const isSigned = needsSignature(isLive ? live.trigger : trigger)
    const secret = isSigned || needsSignature(trigger) ? newSecret() : null
    const secretSealed = secret === null ? null : inner.seal.seal(secret, secretContext(flowId))
    await store.replace(inner, { flowId, tokenHash: sha256(token), secretSealed, isLive, isSigned })
    await record(inner, 'flow_hook.rotated', { type: 'flow', id: flowId }, { name: flow.name })
    return { path: `/hooks/${token}`, secret }
  })
}

const needsSignature = (trigger: Trigger): boolean =>
  trigger.kind === 'webhook' && trigger.signature !== 'none'
