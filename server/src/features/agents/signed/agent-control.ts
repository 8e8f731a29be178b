import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Agent } from '../agent.ts'
import * as agents from '../agent-store.ts'
import { withDetails } from '../agent-details.ts'
import * as keys from './agent-key-store.ts'

/** The agent must make a new key with its next report. Asking twice is no error. 404, 409 for one that has no key. */
export const rekeyAgent = (ctx: Ctx, id: string): Promise<Agent> =>
  changeAgent(ctx, id, async (inner, agent) => {
    if (agent.revokedAt !== null) throw conflict('the agent was revoked: enrol it anew')
    const isNew = await keys.demandChangeOf(inner, id)
    if (isNew) await record(inner, 'agent.rekey_ordered', subject(id), { name: agent.name })
  })

/** What the host reports is taken from now on. Approving twice is no error. 404, 409 for one that has no key or was revoked. */
export const approveAgent = (ctx: Ctx, id: string): Promise<Agent> =>
  changeAgent(ctx, id, async (inner, agent) => {
    if (agent.revokedAt !== null) throw conflict('the agent was revoked: enrol it anew')
    if (!agent.isPending) return
    await agents.approve(inner, id)
    await record(inner, 'agent.approved', subject(id), { name: agent.name, address: agent.address })
  })

/** Its requests are refused from the next one on, on every node; its asset stays. Revoking twice is no error. */
export const revokeAgent = (ctx: Ctx, id: string): Promise<Agent> =>
  changeAgent(ctx, id, async (inner, agent) => {
    if (agent.revokedAt !== null) return
    await agents.revoke(inner, id)
    await keys.revokeKeysOf(inner, id)
    await record(inner, 'agent.revoked', subject(id), { name: agent.name })
  })

const subject = (id: string) => ({ type: 'agent', id })

async function changeAgent(
  ctx: Ctx,
  id: string,
  change: (inner: Ctx, agent: agents.ListedAgent) => Promise<void>,
): Promise<Agent> {
  permit(ctx, 'agents:write')
  const changed = await atomically(ctx, async (inner) => {
    const agent = isUuid(id) ? await agents.lockedAgent(inner, id) : undefined
    if (!agent) throw notFound('agent')
    if (agent.kind !== 'agent')
      throw conflict('the agent has no key of its own: revoke the enrolment token that it reports with')
    await change(inner, agent)
    return (await agents.lockedAgent(inner, id)) ?? agent
  })
  const [detailed] = await withDetails(ctx, [changed])
  if (!detailed) throw new Error(`agent ${id} has no details`)
  return detailed
}
