import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createKey } from '#features/api-keys/api-keys.ts'
import type { Ctx } from '#platform/context.ts'
import type { Answer } from '#test/support/http/api-client.ts'
import type { TestApp } from '#test/support/app/test-app.ts'
import type { Partner } from './partner.ts'
import { createPartnerKey } from './partner-keys.ts'
import { allPartnerScopes } from './partner-scopes.ts'
import { createPartner } from './partners.ts'

/** A tenant with a partner, and the keys of both. */
export interface PartnerScene {
  readonly ctx: Ctx
  readonly partner: Partner
  /** `/partners/<id>` */
  readonly path: string
  /** Of the tenant, with the scope admin. */
  readonly admin: string
  /** Of the partner, with all scopes. */
  readonly all: string
}

export interface Headers {
  readonly api?: string
  readonly partner?: string
}

export const slug = (): string => randomBytes(6).toString('hex')

export async function partnerScene(app: TestApp, tenant?: Ctx): Promise<PartnerScene> {
  const ctx = tenant ?? (await app.newTenant())
  const partner = await newPartner(ctx)
  return {
    ctx,
    partner,
    path: `/partners/${partner.id}`,
    admin: (await createKey(ctx, { name: 'admin', scopes: ['admin'] })).secret,
    all: await keyOf(ctx, partner),
  }
}

/** With a rate that no test reaches which is not about it. */
export const newPartner = (ctx: Ctx, more: object = {}): Promise<Partner> =>
  createPartner(ctx, {
    name: 'Northwind',
    slug: slug(),
    email: 'it@northwind.example',
    rateLimit: 100_000,
    ...more,
  })

/** The full text of a new key; all scopes unless given. */
export async function keyOf(
  ctx: Ctx,
  { id }: Partner,
  scopes: readonly string[] = allPartnerScopes,
): Promise<string> {
  return (await createPartnerKey(ctx, id, { scopes })).secret
}

/** Sends with the keys as headers, which may be empty texts. */
export async function ask<T = Record<string, unknown>>(
  app: TestApp,
  { api, partner }: Headers,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
): Promise<Answer<T>> {
  const headers = {
    ...(api !== undefined && { 'x-api-key': api }),
    ...(partner !== undefined && { 'x-partner-key': partner }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const what = body === undefined ? { headers } : { headers, body: JSON.stringify(body) }
  return app.as().send<T>(method, `/api/v1${path}`, what)
}

export const expireKey = (ctx: Ctx, prefix: string): Promise<number> =>
  ctx.db.run(
    sql`update partner_keys set expires_at = now() where tenant_id = ${ctx.tenantId} and prefix = ${prefix}`,
  )
