import { createFlow, listFlows } from '#features/flows/flows.ts'
import { createRule } from '#features/notice-rules/notice-rules.ts'
import { grants, listUsers, memberPermissions } from '#features/tenancy/tenancy.ts'
import type { Actor, Ctx } from '#platform/context.ts'

const FLOW = {
  name: 'Servers without an owner',
  description: 'Tags servers that nobody is recorded as the owner of. A draft: publish it and switch it on.',
  definition: {
    trigger: { kind: 'query', condition: 'type = server and not has owner', on: 'enter', per: 'asset' },
    steps: [{ action: 'add_tags', with: { tags: ['no owner'] } }],
  },
}

const RULE = {
  name: 'New devices',
  eventTypes: ['NEW_ASSET'],
  itemKinds: ['feed_failing'],
  digest: 'daily',
} as const

/** A flow as a draft, and a notice rule for the first member, unless the tenant has a flow already. */
export async function createDemoAutomation(ctx: Ctx): Promise<void> {
  const { total } = await listFlows(ctx, { limit: 1, offset: 0 })
  if (total > 0) return
  await createFlow(ctx, FLOW)
  const actor = await firstMember(ctx)
  if (actor?.may('assets:read')) await createRule({ ...ctx, actor }, RULE)
}

async function firstMember(ctx: Ctx): Promise<Actor | undefined> {
  const [first] = await listUsers(ctx)
  const member = first && (await memberPermissions(ctx, first.id))
  if (!member) return undefined
  const may = (permission: string) => grants(member.permissions, permission)
  return { kind: 'user', id: first.id, name: member.email, may }
}
