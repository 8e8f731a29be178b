import { expect, test } from 'vitest'
import { createChannel, listNoticeDeliveries } from '#features/notices/notices.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { liveFlow, newAsset, onNewAsset, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'

const home = sharedTestApp()

test('a step writes a notice to the person who published the flow and to a channel, once; a stranger fails it', async () => {
  const ctx = await home().newTenant()
  const { id, email } = await newPerson(home(), ctx, { isAdmin: true })
  const me = { ...ctx, actor: { ...ctx.actor, kind: 'user', id } as const }
  await createChannel(ctx, { name: 'Operations', kind: 'ntfy', url: 'http://127.0.0.1:9/topic' })
  startWorker(home())
  const notice = (to: string[]) => ({ action: 'send_notice', with: { to, subject: 'New: {{asset.name}}' } })
  const flow = await liveFlow(me, { trigger: onNewAsset, steps: [notice(['me', email, 'operations'])] })
  const strange = await liveFlow(me, { trigger: onNewAsset, steps: [notice(['stranger@example.net'])] })
  await newAsset(ctx, 'print-1')
  await untilIdle(ctx)
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'succeeded' }])
  const { items } = await listNoticeDeliveries(ctx, { limit: 10, offset: 0 })
  expect(items.map(({ recipient, subject }) => `${recipient}: ${subject}`).toSorted()).toEqual([
    'Operations: New: print-1',
    `${email}: New: print-1`,
    expect.stringContaining(`${email}: The flow flow failed: steps[0]`),
  ])
  expect(await runsOf(ctx, strange)).toMatchObject([
    { status: 'failed', reason: expect.stringContaining('stranger@example.net is no member') },
  ])
})
