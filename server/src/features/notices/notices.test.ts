import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { atomically, type Ctx } from '#platform/context.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { partOf } from '#test/support/mail/mail-server.ts'
import { needs } from '#test/support/needs.ts'
import {
  createChannel,
  enqueueNotice,
  getChannel,
  listNoticeDeliveries,
  testChannel,
  updateChannel,
  type NewNotice,
} from './notices.ts'
import { noticeLab } from './notices.fixture.ts'

const PAGE = { limit: 50, offset: 0 }
const lines = { topic: 'rule:1', subject: 'A subject', text: 'A text' }
const statuses = async (ctx: Ctx) => (await listNoticeDeliveries(ctx, PAGE)).items.map(({ status }) => status)

needs('openssl')('mail', () => {
  test('that was written while the mail server was down for two hours is sent once, with a fixed Message-ID', async () => {
    const { ctx, member, server, pass, send } = await noticeLab()
    const write = (n: number) =>
      enqueueNotice(ctx, { ...lines, dedupeKey: `notice-${n}`, recipients: [{ userId: member.id }] })
    for (const n of [1, 2, 3, 4, 5]) await write(n)
    for (let minutes = 0; minutes < 120; minutes += 10) {
      await send()
      pass(10)
    }
    expect(await statuses(ctx)).toEqual(Array(5).fill('waiting'))
    await server.start()
    pass(240)
    await Promise.all([send(), send(), send()])
    expect(await write(1)).toBe(0)
    await send()
    expect(await statuses(ctx)).toEqual(Array(5).fill('sent'))
    const ids = (await listNoticeDeliveries(ctx, PAGE)).items.map(({ id }) => `<${id}@inventory.example.org>`)
    const received = server.mails.map(({ headers }) => headers.find(([name]) => name === 'message-id')?.[1])
    expect(new Set(received)).toEqual(new Set(ids))
    expect(received).toHaveLength(5)
    expect(server.mails.every(({ isSecure, to }) => isSecure && to[0] === member.email)).toBe(true)
  })

  test('is given up after eight attempts within a day', async () => {
    const { ctx, member, pass, send } = await noticeLab()
    await enqueueNotice(ctx, { ...lines, dedupeKey: 'n', recipients: [{ userId: member.id }] })
    for (const minutes of [0, 1, 5, 15, 60, 180, 420, 759]) {
      pass(minutes)
      await send()
    }
    expect((await listNoticeDeliveries(ctx, PAGE)).items).toMatchObject([
      { status: 'failed', attempts: 8, error: expect.stringContaining('mail server could not be used') },
    ])
  })

  test('is not sent where the server offers no TLS, unless set otherwise', async () => {
    for (const [tls, status] of [
      ['required', 'waiting'],
      ['none', 'sent'],
    ] as const) {
      const { ctx, member, server, send } = await noticeLab({ tls, offersTls: false })
      await server.start()
      await enqueueNotice(ctx, { ...lines, dedupeKey: 'n', recipients: [{ email: member.email }] })
      await send()
      expect(await statuses(ctx)).toEqual([status])
      expect(server.mails).toHaveLength(status === 'sent' ? 1 : 0)
    }
  })

  test('carries what the standards for automatic mail ask for, a file, and a link of the tenant', async () => {
    const { ctx, member, server, send } = await noticeLab()
    await server.start()
    const attachment = { name: 'a.csv', type: 'text/csv', content: Buffer.from('a,b\n') }
    const more = { link: '/reports/1', attachment }
    await enqueueNotice(ctx, { ...lines, ...more, dedupeKey: 'n', recipients: [{ userId: member.id }] })
    await send()
    const [mail] = server.mails
    if (!mail) throw new Error('no mail')
    const headers = Object.fromEntries(mail.headers)
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'list-unsubscribe': expect.stringMatching(
        /^<https:\/\/inventory\.example\.org\/notices\/unsubscribe\/[\w-]+>$/,
      ),
    })
    expect(partOf(mail, 'text/plain')).toMatch(/https:\/\/inventory\.example\.org\/t\/[\w-]+\/reports\/1/)
    expect(partOf(mail, 'text/csv')).toBe('a,b\n')
    expect(partOf(mail, 'text/html')).not.toMatch(/<(img|link|script|style)/)
  })

  test('over 10 MiB goes without its file, and says so', async () => {
    const { ctx, member, server, send } = await noticeLab()
    await server.start()
    const attachment = { name: 'big.pdf', type: 'application/pdf', content: Buffer.alloc(10 * 1_048_576 + 1) }
    await enqueueNotice(ctx, { ...lines, attachment, dedupeKey: 'n', recipients: [{ userId: member.id }] })
    await send()
    expect(server.mails[0]?.raw.length).toBeLessThan(10_000)
    expect(partOf(server.mails[0] ?? fail(), 'text/plain')).toContain('big.pdf is too large')
  })

  test('goes to a person once, refused addresses are given up at once, full ones are tried again', async () => {
    const { ctx, member, server, send } = await noticeLab()
    await server.start()
    const recipients = [{ userId: member.id }, { email: member.email.toUpperCase() }]
    expect(await enqueueNotice(ctx, { ...lines, dedupeKey: 'n', recipients })).toBe(1)
    const stranger = { ...lines, dedupeKey: 'm', recipients: [{ email: 'stranger@example.net' }] }
    await expect(enqueueNotice(ctx, stranger)).rejects.toMatchObject({
      status: 400,
      extras: { field: 'recipients' },
    })
    for (const address of ['full@example.net', 'nobody@example.net'])
      await createChannel(ctx, { name: address, kind: 'mail', address })
    await send()
    const byName = Object.fromEntries(
      (await listNoticeDeliveries(ctx, PAGE)).items.map(({ recipient, status }) => [recipient, status]),
    )
    expect(byName).toMatchObject({ 'full@example.net': 'waiting', 'nobody@example.net': 'failed' })
  })

  test('to an address gets there once the person agreed, and until they unsubscribe', async () => {
    const { app, ctx, server, send } = await noticeLab()
    await server.start()
    const { channel } = await createChannel(ctx, { name: 'team', kind: 'mail', address: 'team@example.net' })
    const notice = (dedupeKey: string): NewNotice => ({
      ...lines,
      dedupeKey,
      recipients: [{ channelId: channel.id }],
    })
    await enqueueNotice(ctx, notice('before'))
    await expect(
      enqueueNotice(ctx, { ...notice('x'), recipients: [{ email: 'team@example.net' }] }),
    ).rejects.toMatchObject({ status: 400 })
    await send()
    const question = server.mails[0]
    expect(server.mails).toHaveLength(1)
    const address = await app.address()
    const path = /\/notices\/confirm\/[\w-]+/.exec(partOf(question ?? fail(), 'text/plain'))?.[0] ?? ''
    expect((await fetch(address + path)).status).toBe(200)
    expect((await getChannel(ctx, channel.id)).confirmedAt).toBeNull()
    expect((await fetch(address + path.slice(0, -4), { method: 'POST' })).status).toBe(404)
    expect((await fetch(address + path, { method: 'POST' })).status).toBe(200)
    await enqueueNotice(ctx, notice('after'))
    await send()
    expect(server.mails).toHaveLength(2)
    const [, header] = server.mails[1]?.headers.find(([name]) => name === 'list-unsubscribe') ?? fail()
    const leave = await fetch(address + new URL(header.slice(1, -1)).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(leave.status).toBe(200)
    expect(await enqueueNotice(ctx, notice('later'))).toBe(0)
  })
})

needs('openssl')('a notice', () => {
  test('of a change that is undone was never written', async () => {
    const { ctx, member } = await noticeLab()
    const undone = atomically(ctx, async (inner) => {
      await enqueueNotice(inner, { ...lines, dedupeKey: 'n', recipients: [{ userId: member.id }] })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await statuses(ctx)).toEqual([])
  })

  test('is signed for a receiver of ours, and its channel says what fails and is switched off after three days', async () => {
    const { ctx, pass, send } = await noticeLab()
    let status = 200
    const there = await receiver(() => status)
    const { channel, secret } = await createChannel(ctx, { name: 'own', kind: 'generic', url: there.url })
    const write = (n: number) =>
      enqueueNotice(ctx, { ...lines, dedupeKey: `n${n}`, recipients: [{ channelId: channel.id }] })
    await write(1)
    await send()
    const [request] = there.requests
    const timestamp = String(request?.headers['x-service-timestamp'])
    const signature = createHmac('sha256', secret ?? '')
      .update(request?.body ?? '')
      .update(timestamp)
    expect(request?.headers['x-service-signature']).toBe(signature.digest('hex'))
    expect(JSON.parse(String(request?.body))).toMatchObject({ subject: 'A subject', tenant_id: ctx.tenantId })

    status = 500
    for (let day = 0; day < 4; day++) {
      await write(10 + day)
      await send()
      const now = await getChannel(ctx, channel.id)
      expect(now.lastError).toContain('500')
      expect(now.active).toBe(day < 3)
      pass(24 * 60)
    }
    expect((await getChannel(ctx, channel.id)).disabledReason).toContain('for 3 days')
    await write(20)
    await send()
    expect((await statuses(ctx))[0]).toBe('dropped')
    status = 200
    await updateChannel(ctx, channel.id, { active: true })
    expect(await testChannel(ctx, channel.id)).toEqual({ success: true, error: null })
    await expect(testChannel(ctx, channel.id)).rejects.toMatchObject({ status: 429 })
  })
})

function fail(): never {
  throw new Error('not there')
}
