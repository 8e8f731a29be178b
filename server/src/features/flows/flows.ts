/** Flows: what a person has automated. Versions say what to do; runs do it, step by step, and survive crashes. */
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedName, lengthOf } from '#platform/validation/checked-name.ts'
import { noteRuns } from './back-test/note-runs.ts'
import { actionsOf, readDefinition } from './definition/read-definition.ts'
import { refuseSelfTrigger } from './definition/self-trigger.ts'
import { secretsIn } from './definition/template.ts'
import * as store from './flow-store.ts'
import type { Flow, FlowVersion } from './flow.ts'
import { remove as removeHook } from './hooks/hook-store.ts'
import { listFlowSecrets } from './secrets/flow-secrets.ts'
import { switchOff, switchOn } from './switch-flow.ts'

export { startBackTest } from './back-test/back-tests.ts'
export { readyFlows } from './ready-flow-list.ts'
export { cancelRun, getRun, listRuns, rerunFrom, startFlow, testFlow } from './running/runs.ts'

export { listApprovals } from './approvals/approvals.ts'
export { areTrue } from './definition/flow-condition.ts'
export { checkedCondition } from './definition/checked-condition.ts'
export { vocabularyWith } from './definition/flow-vocabulary.ts'
export { recentFailures } from './running/recent-failures.ts'

export const NAME_LENGTH_MAX = 200
export const DESCRIPTION_LENGTH_MAX = 2_000

export interface NewFlow {
  readonly name: string
  readonly description?: string
  /** See `readDefinition`. */
  readonly definition: unknown
}

/** Newest first, without archived ones. */
export function listFlows(ctx: Ctx, page: Page): Promise<Listed<Flow>> {
  permit(ctx, 'flows:read')
  return store.list(ctx, page)
}

export async function getFlow(ctx: Ctx, id: string): Promise<Flow> {
  permit(ctx, 'flows:read')
  return existing(isUuid(id) ? await store.find(ctx, id) : undefined)
}

/** Newest first. */
export async function listVersions(ctx: Ctx, flowId: string): Promise<FlowVersion[]> {
  const { id } = await getFlow(ctx, flowId)
  return store.versions(ctx, id)
}

/** With its first draft; nothing runs before it is published and switched on. */
export async function createFlow(ctx: Ctx, input: NewFlow): Promise<Flow> {
  permit(ctx, 'flows:write')
  const { name, description } = named(input)
  const definition = await readDefinition(ctx, input.definition)
  return atomically(ctx, async (inner) => {
    const id = newUuid(inner.now())
    await store.add(inner, { id, name, description, triggerKind: definition.trigger.kind })
    await store.saveDraft(inner, id, definition)
    await record(inner, 'flow.created', { type: 'flow', id }, { name })
    return existing(await store.find(inner, id))
  })
}

/** What is left out stays. A definition becomes the draft; runs go on as published. */
export async function updateFlow(ctx: Ctx, id: string, changes: Partial<NewFlow>): Promise<Flow> {
  permit(ctx, 'flows:write')
  const definition =
    changes.definition === undefined ? undefined : await readDefinition(ctx, changes.definition)
  return atomically(ctx, async (inner) => {
    const before = await locked(inner, id)
    await store.rename(inner, { id: before.id, ...named({ ...before, ...changes }) })
    if (definition) await store.saveDraft(inner, before.id, definition)
    const after = existing(await store.find(inner, before.id))
    await record(
      inner,
      'flow.updated',
      { type: 'flow', id: after.id },
      { name: after.name, hasNewDraft: !!definition },
    )
    return after
  })
}

/** The draft becomes what runs do, with the permissions of who publishes it. The flow is off afterwards. */
export async function publishFlow(ctx: Ctx, id: string): Promise<Flow> {
  permit(ctx, 'flows:write')
  return atomically(ctx, async (inner) => {
    const flow = await locked(inner, id)
    const draft = (await store.versions(inner, flow.id)).find(({ state }) => state === 'draft')
    if (!draft) throw conflict('there is no draft to publish')
    for (const { name, permission } of actionsOf(draft.definition.steps)) {
      if (permission && !inner.actor.may(permission))
        throw forbidden(`${name} needs the permission ${permission}`)
    }
    refuseSelfTrigger(draft.definition)
    await refuseUnknownSecrets(inner, draft)
    const runAs = inner.actor.kind === 'user' ? inner.actor.id : null
    await noteRuns(inner, { id: flow.id, name: flow.name, definition: draft.definition })
    await store.publish(inner, {
      flowId: flow.id,
      n: draft.n,
      triggerKind: draft.definition.trigger.kind,
      runAs,
    })
    await switchTo(inner, flow, false)
    const details = { name: flow.name, version: draft.n }
    await record(inner, 'flow.published', { type: 'flow', id: flow.id }, details)
    return existing(await store.find(inner, flow.id))
  })
}

export async function setFlowEnabled(ctx: Ctx, id: string, enabled: boolean): Promise<Flow> {
  permit(ctx, 'flows:write')
  return atomically(ctx, async (inner) => {
    const flow = await locked(inner, id)
    await switchTo(inner, flow, enabled)
    const action = enabled ? 'flow.enabled' : 'flow.disabled'
    await record(inner, action, { type: 'flow', id: flow.id }, { name: flow.name })
    return existing(await store.find(inner, flow.id))
  })
}

/** Listed no more; its runs stay for the log. */
export async function archiveFlow(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'flows:write')
  await atomically(ctx, async (inner) => {
    const flow = await locked(inner, id)
    await switchTo(inner, flow, false)
    await store.archive(inner, flow.id)
    await removeHook(inner, flow.id)
    await record(inner, 'flow.archived', { type: 'flow', id: flow.id }, { name: flow.name })
  })
}

async function refuseUnknownSecrets(ctx: Ctx, { definition }: FlowVersion): Promise<void> {
  const known = new Set((await listFlowSecrets(ctx)).map(({ name }) => name))
  const unknown = secretsIn(definition.steps).find((name) => !known.has(name))
  if (unknown !== undefined)
    throw conflict(`there is no secret ${unknown}; set it before the flow is published`)
}

async function switchTo(ctx: Ctx, flow: Flow, enabled: boolean): Promise<void> {
  if (!enabled) return switchOff(ctx, flow.id, null)
  const n = flow.publishedVersion
  const version = n === null ? undefined : await store.version(ctx, flow.id, n)
  if (!version) throw conflict('publish the flow first')
  await switchOn(ctx, flow.id, version.definition)
}

function named({ name, description = '' }: { readonly name?: string; readonly description?: string }) {
  if (lengthOf(description) > DESCRIPTION_LENGTH_MAX)
    throw invalid('description', `must have at most ${DESCRIPTION_LENGTH_MAX} characters`)
  if (description.includes('\0')) throw invalid('description', 'must not contain NUL')
  return { name: checkedName('name', name ?? '', NAME_LENGTH_MAX), description }
}

async function locked(ctx: Ctx, id: string): Promise<Flow> {
  return existing(isUuid(id) ? await store.lock(ctx, id) : undefined)
}

function existing(flow: Flow | undefined): Flow {
  if (!flow) throw notFound('flow')
  return flow
}
