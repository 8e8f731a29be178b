import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { browserAt } from '#test/support/http/browser-session.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { CLIENT } from '#test/support/single-sign-on/identity-provider.ts'
import {
  connect,
  sessionState,
  roleId,
  ssoSetup,
  signOn,
} from '#test/support/single-sign-on/single-sign-on.ts'
import { deleteSignOn, getSignOn, setSignOn } from './oidc-settings.ts'

test('the setting says what it is and not its secret; without it the way in and its sessions end', async () => {
  const where = await ssoSetup()
  const { browser } = await signOn(where)
  const signOnSetting = await getSignOn(where.ctx)
  expect(signOnSetting).toMatchObject({
    issuer: where.provider.issuer,
    clientId: 'rollcall',
    domains: ['corp.example'],
    role: { name: 'Viewer' },
  })
  expect(
    JSON.stringify([signOnSetting, await searchAudit(where.ctx, { limit: 50, offset: 0 })]),
  ).not.toContain(CLIENT.clientSecret)
  const { row } = await where.ctx.db.one(
    sql<{ row: string }>`select to_jsonb(p)::text as row from sign_on_providers p`,
  )
  expect(row).not.toContain(Buffer.from(CLIENT.clientSecret).toString('hex'))
  await deleteSignOn(where.ctx)
  expect((await sessionState(browser)).state).toBe('signed_out')
  const { status } = await browser.send('POST', '/session/sign-on', {
    organisation: where.slug,
    returnTo: '/',
  })
  expect(status).toBe(404)
  await expect(deleteSignOn(where.ctx)).rejects.toMatchObject({ status: 404 })
})

test('an organisation without single sign-on and one that is not get the same answer', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const { slug } = await ctx.db.one(sql<{ slug: string }>`select slug from tenants`)
  const ask = (organisation: string) => browserAt(it).send('POST', '/session/sign-on', { organisation })
  const [none, nobody] = [await ask(slug), await ask('nobody')]
  expect([none.status, none.body]).toEqual([404, nobody.body])
})

test('a setting that does not fit is refused, naming its field', async () => {
  const { ctx, provider } = await ssoSetup()
  const good = {
    ...CLIENT,
    issuer: provider.issuer,
    roleId: await roleId(ctx, 'Viewer'),
    domains: ['corp.example'],
  }
  const { clientSecret: _, ...bare } = good
  const cases = [
    [{ ...good, issuer: 'ftp://corp.example' }, 'issuer'],
    [{ ...good, issuer: `${provider.issuer}/elsewhere` }, 'issuer'],
    [{ ...good, clientId: ' ' }, 'clientId'],
    [{ ...good, domains: [] }, 'domains'],
    [{ ...good, domains: ['*'] }, 'domains'],
    [{ ...good, roleId: 'nonsense' }, 'roleId'],
    [{ ...bare, issuer: provider.issuer.replace('127.0.0.1', 'localhost') }, 'clientSecret'],
  ] as const
  for (const [wrong, field] of cases)
    await expect(setSignOn(ctx, wrong)).rejects.toMatchObject({ status: 400, extras: { field } })
  expect(await setSignOn(ctx, bare)).toMatchObject({ issuer: provider.issuer })
})

test('an issuer that calls itself by another name is none', async () => {
  const { ctx } = await ssoSetup()
  const impostor = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        issuer: 'https://accounts.example',
        authorization_endpoint: 'https://accounts.example/a',
      }),
    )
  })
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void impostor.close())
  const issuer = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`
  await expect(connect(ctx, issuer)).rejects.toMatchObject({ extras: { field: 'issuer' } })
})

test('the provider is asked under the rules of every way out: no private address unless it is admitted', async () => {
  const { it } = await ssoSetup()
  const guarded = it.runtime.contextFor((await it.newTenant()).tenantId)
  const attempts = ['https://10.0.0.1', 'https://169.254.169.254', 'http://192.168.0.1:8080']
  for (const issuer of attempts)
    await expect(connect(guarded, issuer)).rejects.toMatchObject({ extras: { field: 'issuer' } })
})

test('it takes both permissions to say who vouches for people', async () => {
  const { ctx, provider } = await ssoSetup()
  for (const held of ['settings:write', 'users:write']) {
    const actor = { kind: 'user', id: 'u', may: (it: string) => it === held } as const
    const input = {
      ...CLIENT,
      issuer: provider.issuer,
      roleId: await roleId(ctx, 'Viewer'),
      domains: ['corp.example'],
    }
    await expect(setSignOn({ ...ctx, actor }, input)).rejects.toMatchObject({ status: 403 })
    await expect(deleteSignOn({ ...ctx, actor })).rejects.toMatchObject({ status: 403 })
  }
})
