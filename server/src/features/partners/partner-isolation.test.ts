import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createKey } from '#features/api-keys/api-keys.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createPartnerKey } from './partner-keys.ts'
import { createPartnerWebhook } from './partner-webhooks.ts'
import { ask, keyOf, newPartner, slug, type Headers } from './partners.fixture.ts'
import type { Partner } from './partner.ts'
import { rest } from './rest.ts'

// Two tenants with two partners each; every route with the ids of one of them, asked with four kinds of keys of each.

const shared = sharedTestApp()

interface Home {
  readonly partner: Partner
  readonly tenantId: string
  readonly ids: Readonly<Record<string, string>>
  /** By kind: of the tenant with and without the scope admin, of the partner with all scopes and with none for this. */
  readonly keys: Readonly<Record<'admin' | 'read' | 'all' | 'webhooks', Headers>>
}

let homes: readonly Home[]
beforeAll(async () => {
  const tenants = [await shared().newTenant(), await shared().newTenant()]
  homes = await Promise.all(
    tenants
      .flatMap((ctx) => [ctx, ctx])
      .map(async (ctx): Promise<Home> => {
        const partner = await newPartner(ctx)
        const { key } = await createPartnerKey(ctx, partner.id, { scopes: ['partner:read'] })
        const hook = { name: 'h', url: 'http://127.0.0.1:9/', events: ['UNLINK'] }
        const { endpoint } = await createPartnerWebhook(ctx, partner.id, hook)
        const api = async (scope: string) => (await createKey(ctx, { name: scope, scopes: [scope] })).secret
        return {
          partner,
          tenantId: ctx.tenantId,
          ids: { id: partner.id, keyId: key.id, webhookId: endpoint.id, tenantId: ctx.tenantId },
          keys: {
            admin: { api: await api('admin') },
            read: { api: await api('read') },
            all: { partner: await keyOf(ctx, partner) },
            webhooks: { partner: await keyOf(ctx, partner, ['webhook:read']) },
          },
        }
      }),
  )
})

const kinds = ['admin', 'read', 'all', 'webhooks'] as const
const cases = rest.flatMap((route) =>
  kinds.flatMap((kind) =>
    [0, 1, 2, 3].flatMap((asker) =>
      [0, 1, 2, 3].map((owner) => ({ at: `${route.method} ${route.path}`, route, kind, asker, owner })),
    ),
  ),
)

const bodies: Readonly<Record<string, () => unknown>> = {
  'POST /partners': () => ({ name: 'n', slug: slug(), email: 'a@b' }),
  'POST /partners/:id/keys': () => ({ scopes: ['partner:read'] }),
  'POST /partners/:id/webhooks': () => ({ name: 'h', url: 'http://127.0.0.1:9/', events: ['UNLINK'] }),
}

/** The status of a request for a thing of `owner`: deletions name a sub-thing that never was, so that nothing changes. */
function expected({ route, kind, asker, owner }: (typeof cases)[number]): number {
  const isOwn = asker === owner
  const isOfTenant = Math.floor(asker / 2) === Math.floor(owner / 2)
  const isAboutAll = !route.path.includes(':id')
  if (kind === 'read') return 403
  if (kind === 'all' || kind === 'webhooks') {
    const { confinedScope } = route.shape
    if (confinedScope === undefined) return 403
    if (!isOwn) return 404
    if (kind === 'webhooks' && confinedScope !== 'webhook:read') return 403
  } else if (!isAboutAll && !isOfTenant) return 404
  if (route.method === 'DELETE') return 404
  return route.method === 'POST' ? 201 : 200
}

test.each(cases)('$at with the key "$kind" of $asker at $owner', async (it) => {
  const { route, kind, asker, owner } = it
  const [from, to] = [homes[asker], homes[owner]]
  if (!from || !to) throw new Error('there are four partners')
  const isWholeDeletion = it.at === 'DELETE /partners/:id'
  // an admin of the tenant may delete it: seen in partners.test.ts
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (isWholeDeletion && kind === 'admin') return randomUUID()
    return route.method === 'DELETE' && name !== 'id' ? randomUUID() : (to.ids[name] ?? '')
  })
  const { status, text } = await ask(shared(), from.keys[kind], [route.method, path, bodies[it.at]?.()])
  expect(status).toBe(expected(it))
  const foreign = homes.filter(({ tenantId }) => tenantId !== from.tenantId)
  for (const { ids, tenantId } of foreign)
    for (const id of [...Object.values(ids), tenantId]) expect(text).not.toContain(id)
})
