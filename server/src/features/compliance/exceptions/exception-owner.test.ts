import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createException } from './exceptions.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await shared().newTenant()
})

const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
const except = (as: Ctx, owner?: string) =>
  createException(as, { checkId: 'no-telnet', reason: 'a lab', expiresAt, owner })
const as = ({ id, email }: { readonly id: string; readonly email: string }): Ctx => ({
  ...ctx,
  actor: { kind: 'user', id, name: email, may: () => true },
})

test('who makes an exception answers for it, unless another member is named', async () => {
  const [ann, bob] = [await newPerson(shared(), ctx), await newPerson(shared(), ctx)]
  expect(await except(as(ann))).toMatchObject({ ownerName: ann.email, createdByName: ann.email })
  expect(await except(as(ann), ` ${bob.email.toUpperCase()}`)).toMatchObject({
    ownerName: bob.email,
    createdByName: ann.email,
  })
})

test('what a key makes has an owner only if it names one', async () => {
  const ann = await newPerson(shared(), ctx)
  expect(await except(ctx)).toMatchObject({ ownerName: null })
  expect(await except(ctx, ann.email)).toMatchObject({ ownerName: ann.email })
})

test('nobody outside of the organisation answers for an exception', async () => {
  const stranger = await newPerson(shared(), await shared().newTenant())
  for (const owner of [stranger.email, 'nobody@example.org', ''])
    await expect(except(ctx, owner)).rejects.toMatchObject({ status: 400, extras: { field: 'owner' } })
})
