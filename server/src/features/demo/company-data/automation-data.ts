import { matchingAssetIds } from '#features/assets/assets.ts'
import {
  createFlow,
  listFlows,
  publishFlow,
  readyFlows,
  setFlowEnabled,
  startBackTest,
  startFlow,
} from '#features/flows/flows.ts'
import { createRule } from '#features/notice-rules/notice-rules.ts'
import { createChannel, listChannels } from '#features/notices/notices.ts'
import { grants, listUsers, memberPermissions } from '#features/tenancy/tenancy.ts'
import type { Actor, Ctx } from '#platform/context.ts'

const RULE = {
  name: 'New devices',
  eventTypes: ['NEW_ASSET'],
  itemKinds: ['feed_failing'],
  digest: 'daily',
} as const

/** It gets nothing until its holder agrees; nobody reads mail there. */
const CHANNEL = { name: 'Operations', kind: 'mail', address: 'operations@northwind.example' } as const

/** A notice rule for the first member and a channel, before the assets come; once for each tenant. */
export async function createDemoNotices(ctx: Ctx): Promise<void> {
  if ((await listChannels(ctx)).length > 0) return
  await createChannel(ctx, CHANNEL)
  const member = await asFirstMember(ctx)
  if (member?.actor.may('assets:read')) await createRule(member, RULE)
}

const UNOWNED = {
  name: 'Servers without an owner',
  description: 'Tags servers that nobody is recorded as the owner of.',
  definition: {
    trigger: { kind: 'query', condition: 'type = server and not has owner', on: 'enter', per: 'asset' },
    steps: [{ action: 'add_tags', with: { tags: ['no owner'] } }],
  },
}

const REVIEW = {
  name: 'Mark for review',
  description: 'By hand: tags the chosen assets, and says in the run why.',
  definition: {
    trigger: { kind: 'manual', fields: { reason: 'text' } },
    steps: [{ action: 'add_tags', with: { tags: ['review'] } }],
  },
}

const REVIEWED = { where: 'type = printer', limit: 8 }
const RETIRED = { where: 'type = workstation', limit: 2 }

/**
 * Flows over the assets, unless the tenant has one already: one that is on, one with runs, one whose runs wait for
 * approval, and a draft. Without a member who may publish them, all are drafts.
 */
export async function createDemoFlows(ctx: Ctx): Promise<void> {
  const { total } = await listFlows(ctx, { limit: 1, offset: 0 })
  if (total > 0) return
  const member = await asFirstMember(ctx)
  const owner = member?.actor.may('flows:write') ? member : undefined
  const draft = await createReady(owner ?? ctx, 'unclear-device')
  await startBackTest(owner ?? ctx, { flowId: draft.id })
  const unowned = await createFlow(owner ?? ctx, UNOWNED)
  const review = await createFlow(owner ?? ctx, REVIEW)
  const retire = await createReady(owner ?? ctx, 'retire')
  if (!owner) return
  for (const { id } of [unowned, review, retire]) {
    await publishFlow(owner, id)
    await setFlowEnabled(owner, id, true)
  }
  await startFor(owner, review.id, { ...REVIEWED, inputs: { reason: 'yearly check of printers' } })
  await startFor(owner, retire.id, RETIRED)
}

function createReady(ctx: Ctx, id: string): Promise<{ readonly id: string }> {
  const ready = readyFlows.find((it) => it.id === id)
  if (!ready) throw new Error(`there is no ready flow ${id}`)
  const { name, description, definition } = ready
  return createFlow(ctx, { name, description, definition })
}

interface Chosen {
  readonly where: string
  readonly limit: number
  readonly inputs?: Readonly<Record<string, unknown>>
}

async function startFor(ctx: Ctx, flowId: string, { where, limit, inputs }: Chosen): Promise<void> {
  const assetIds = await matchingAssetIds(ctx, where, { limit })
  if (assetIds.length > 0) await startFlow(ctx, flowId, { assetIds, inputs })
}

async function asFirstMember(ctx: Ctx): Promise<Ctx | undefined> {
  const [first] = await listUsers(ctx)
  const member = first && (await memberPermissions(ctx, first.id))
  if (!member) return undefined
  const may = (permission: string) => grants(member.permissions, permission)
  const actor: Actor = { kind: 'user', id: first.id, name: member.email, may }
  return { ...ctx, actor }
}
