import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Invitation } from './invitation.ts'

const LIFETIME = '7 days'

const columns = sql`i.id, i.email, jsonb_build_object('id', r.id, 'name', r.name) as role,
  i.invited_by as "invitedBy", i.created_at as "createdAt", i.expires_at as "expiresAt",
  i.expires_at <= clock_timestamp() as "isExpired"`

/** One invitation for each address: a second one replaces the first, whose link becomes invalid. Returns the id. */
export async function put(
  ctx: Ctx,
  wanted: { email: string; roleId: string; tokenHash: Buffer },
): Promise<string> {
  const { id } = await ctx.db.one(sql<{ id: string }>`
    insert into invitations (tenant_id, email, role_id, token_hash, invited_by, expires_at)
    values (${ctx.tenantId}, ${wanted.email}, ${wanted.roleId}, ${wanted.tokenHash},
      ${ctx.actor.name ?? null}, clock_timestamp() + ${LIFETIME}::interval)
    on conflict (tenant_id, lower(email)) do update set
      email = excluded.email, role_id = excluded.role_id, token_hash = excluded.token_hash,
      invited_by = excluded.invited_by, created_at = clock_timestamp(), expires_at = excluded.expires_at
    returning id`)
  return id
}

export function all(ctx: Ctx): Promise<Invitation[]> {
  return ctx.db.all(sql<Invitation>`
    select ${columns} from invitations i join roles r on r.tenant_id = i.tenant_id and r.id = i.role_id
    where i.tenant_id = ${ctx.tenantId} order by i.created_at desc, i.id`)
}

/** Returns the invited address; undefined when there is no such invitation. */
export async function remove(ctx: Ctx, id: string): Promise<string | undefined> {
  const removed = await ctx.db.maybe(sql<{ email: string }>`
    delete from invitations where tenant_id = ${ctx.tenantId} and id = ${id} returning email`)
  return removed?.email
}

export interface Found {
  readonly id: string
  readonly tenantId: string
  readonly tenantName: string
  readonly email: string
  readonly roleId: string
  readonly roleName: string
}

/** Locks the row, so that of two concurrent requests only one can use the link. */
export function byToken(system: Ctx, tokenHash: Buffer): Promise<Found | undefined> {
  return system.db.maybe(sql<Found>`
    select i.id, i.tenant_id as "tenantId", t.name as "tenantName", i.email, r.id as "roleId", r.name as "roleName"
    from invitations i join tenants t on t.id = i.tenant_id
      join roles r on r.tenant_id = i.tenant_id and r.id = i.role_id
    where i.token_hash = ${tokenHash} and i.expires_at > clock_timestamp() for update of i`)
}
