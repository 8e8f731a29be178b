import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { controlOf, titleOfFramework } from '../catalogue/catalogue.ts'
import { shippedChecks } from '../checks/shipped-checks.ts'
import type { Exception, NewException } from './exception.ts'

const SHIPPED_TITLES = JSON.stringify(Object.fromEntries(shippedChecks.map(({ id, title }) => [id, title])))

const columns = (ctx: Ctx) => sql`id, check_id as "checkId", framework, control_id as "controlId",
  asset_id as "assetId", tag, condition as "where", reason,
  owner_name as "ownerName", state, expires_at as "expiresAt",
  created_at as "createdAt", created_by as "createdBy", created_by_name as "createdByName",
  approved_at as "approvedAt", approved_by_name as "approvedByName", ended_at as "endedAt",
  ended_because as "endedBecause",
  coalesce((select c.title from compliance_checks c
    where c.tenant_id = ${ctx.tenantId} and c.id::text = compliance_exceptions.check_id),
    ${SHIPPED_TITLES}::jsonb ->> check_id, check_id, '') as title,
  (select a.name from assets a where a.tenant_id = ${ctx.tenantId} and a.id = compliance_exceptions.asset_id) as "assetName"`

interface Control {
  readonly framework: string
  readonly controlId: string
}

/** Those from a control are called by it, which the catalogue knows. */
function titled(it: Exception): Exception {
  const { framework, controlId } = it
  if (framework === null || controlId === null) return it
  const title = [titleOfFramework(framework), controlId, controlOf(framework, controlId)?.title ?? '']
  return { ...it, title: title.join(' ').trimEnd() }
}

export interface Owner {
  readonly id: string
  readonly name: string
}

export async function add(
  ctx: Ctx,
  it: NewException & Pick<Exception, 'id' | 'state'>,
  owner: Owner | undefined,
): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_exceptions (tenant_id, id, check_id, framework, control_id, asset_id, tag, condition, reason,
      state, expires_at, created_at, created_by, created_by_name, owner_id, owner_name)
    values (${ctx.tenantId}, ${it.id}, ${it.checkId ?? null}, ${it.framework ?? null}, ${it.controlId ?? null},
      ${it.assetId ?? null}, ${it.tag ?? null}, ${it.where ?? null}, ${it.reason}, ${it.state}, ${it.expiresAt}, ${ctx.now()}, ${ctx.actor.id}, ${ctx.actor.name ?? ctx.actor.id},
      ${owner?.id ?? null}, ${owner?.name ?? null})`)
}

/** Locked until the end of the transaction. */
export async function exception(ctx: Ctx, id: string): Promise<Exception | undefined> {
  const found = await ctx.db.maybe(sql<Exception>`
    select ${columns(ctx)} from compliance_exceptions where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
  return found && titled(found)
}

export interface OfChecks {
  /** Null: of all checks and controls. */
  readonly checkIds: readonly string[] | null
  /** Those from it as well. */
  readonly control?: Control | undefined
}

/** The newest first, those that have ended too. */
export async function exceptions(
  ctx: Ctx,
  { limit, offset }: Page,
  { checkIds, control }: OfChecks,
): Promise<Listed<Exception>> {
  const ids = checkIds && [...checkIds]
  const ofControl = control
    ? sql`(framework = ${control.framework} and control_id = ${control.controlId})`
    : sql`false`
  const of = sql`tenant_id = ${ctx.tenantId}
    and (${ids}::text[] is null or check_id = any(${ids}::text[]) or ${ofControl})`
  const items = await ctx.db.all(sql<Exception>`
    select ${columns(ctx)} from compliance_exceptions where ${of}
    order by created_at desc, id desc limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(
    sql<{ total: number }>`select count(*) as total from compliance_exceptions where ${of}`,
  )
  return { items: items.map(titled), total }
}

/** Proposed ones, the newest first. */
export const proposed = (ctx: Ctx, limit: number): Promise<Listed<Exception>> =>
  listed(ctx, { where: sql`state = 'proposed'`, order: sql`created_at desc, id desc`, limit })

/** In force until a moment before `before`, the soonest to end first. */
export const endingBefore = (ctx: Ctx, before: Date, limit: number): Promise<Listed<Exception>> =>
  listed(ctx, {
    where: sql`state = 'active' and expires_at > ${ctx.now()} and expires_at < ${before}`,
    order: sql`expires_at, id`,
    limit,
  })

async function listed(
  ctx: Ctx,
  {
    where,
    order,
    limit,
  }: { readonly where: RawBuilder<unknown>; readonly order: RawBuilder<unknown>; readonly limit: number },
): Promise<Listed<Exception>> {
  const of = sql`from compliance_exceptions where tenant_id = ${ctx.tenantId} and ${where}`
  const items = await ctx.db.all(
    sql<Exception>`select ${columns(ctx)} ${of} order by ${order} limit ${limit}`,
  )
  const { total } = await ctx.db.one(sql<{ total: number }>`select count(*) as total ${of}`)
  return { items: items.map(titled), total }
}

export async function approve(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update compliance_exceptions set state = 'active', approved_at = ${ctx.now()},
      approved_by_name = ${ctx.actor.name ?? ctx.actor.id}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function end(ctx: Ctx, id: string, because: string): Promise<void> {
  await ctx.db.run(sql`
    update compliance_exceptions set state = 'ended', ended_at = ${ctx.now()}, ended_because = ${because}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

const IN_FORCE_MAX = 5_000

/** The soonest to end first. */
export async function exceptionsInForce(ctx: Ctx): Promise<Exception[]> {
  const found = await ctx.db.all(sql<Exception>`
    select ${columns(ctx)} from compliance_exceptions
    where tenant_id = ${ctx.tenantId} and state = 'active' and expires_at > ${ctx.now()}
    order by expires_at, id limit ${IN_FORCE_MAX}`)
  return found.map(titled)
}

/** Checks with an exception in force. */
export async function checksWithExceptions(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct check_id as id from compliance_exceptions
    where tenant_id = ${ctx.tenantId} and state = 'active' and check_id is not null order by 1`)
  return rows.map(({ id }) => id)
}

/** Controls with an exception in force. */
export function controlsWithExceptions(ctx: Ctx): Promise<Control[]> {
  return ctx.db.all(sql<Control>`
    select distinct framework, control_id as "controlId" from compliance_exceptions
    where tenant_id = ${ctx.tenantId} and state = 'active' and control_id is not null order by 1, 2`)
}

/** Conditions of exceptions in force. */
export async function conditionsInForce(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ text: string }>`
    select distinct condition as text from compliance_exceptions
    where tenant_id = ${ctx.tenantId} and state = 'active' and condition is not null order by 1`)
  return rows.map(({ text }) => text)
}

type LastEnd = Pick<Exception, 'checkId' | 'framework' | 'controlId'> & { readonly endsAt: string }

/** When the last exception in force from each check and control ends. */
export function lastEnds(ctx: Ctx): Promise<LastEnd[]> {
  return ctx.db.all(sql<LastEnd>`
    select check_id as "checkId", framework, control_id as "controlId", max(expires_at) as "endsAt"
    from compliance_exceptions
    where tenant_id = ${ctx.tenantId} and state = 'active' group by check_id, framework, control_id`)
}

export async function needApproval(ctx: Ctx): Promise<boolean> {
  const row = await ctx.db.maybe(sql<{ needed: boolean }>`
    select exceptions_need_approval as needed from compliance_settings where tenant_id = ${ctx.tenantId}`)
  return row?.needed ?? false
}

export async function setNeedApproval(ctx: Ctx, needed: boolean): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_settings (tenant_id, exceptions_need_approval) values (${ctx.tenantId}, ${needed})
    on conflict (tenant_id) do update set exceptions_need_approval = excluded.exceptions_need_approval`)
}
