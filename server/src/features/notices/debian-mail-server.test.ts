import { expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { debianMailServer } from '#test/support/mail/debian-mail-server.ts'
import { partOf } from '#test/support/mail/mail-server.ts'
import { mailLab } from './notices.fixture.ts'
import { enqueueNotice, listNoticeDeliveries } from './notices.ts'

const PAGE = { limit: 10, offset: 0 }
/** Text of a mail in which every line break within a header is one again. */
const unfolded = (raw: string) => raw.replaceAll(/\r?\n[ \t]+/g, ' ')

needs('aiosmtpd')('mail by the SMTP server of Debian', () => {
  test('that is down for two hours is delivered once it is up, once, over TLS, with its attachment', async () => {
    const server = await debianMailServer()
    const { ctx, member, pass, send } = await mailLab(server)
    const content = Buffer.from('name;owner\r\nprint-1;Ünal\r\n'.repeat(500))
    const notice = (key: string) => ({
      dedupeKey: key,
      topic: 'rule:1',
      recipients: [{ userId: member.id }],
      subject: `<b>${key}</b>\r\nBcc: everybody@example.org Prüfung`,
      text: 'A <script>line</script>\n.\n..two dots',
      link: '/assets',
      attachment: { name: 'assets.csv', type: 'text/csv', content },
    })
    await enqueueNotice(ctx, notice('first'))
    await enqueueNotice(ctx, notice('second'))
    await send()
    for (const minutes of [1, 5, 15, 60]) {
      pass(minutes)
      await send()
    }
    expect((await listNoticeDeliveries(ctx, PAGE)).items.map(({ status }) => status)).toEqual([
      'waiting',
      'waiting',
    ])
    await server.start()
    pass(180)
    await send()
    await send()
    const { items } = await listNoticeDeliveries(ctx, PAGE)
    expect(items.map(({ status, error }) => [status, error])).toEqual([
      ['sent', null],
      ['sent', null],
    ])
    const mails = (await server.mails()).map((raw) => raw.replaceAll(/\r?\n/g, '\r\n'))
    expect(mails).toHaveLength(2)
    const heads = mails.map((raw) => unfolded(raw.split('\r\n\r\n')[0] ?? ''))
    expect(new Set(heads.map((head) => /^Message-ID: (.*)$/im.exec(head)?.[1])).size).toBe(2)
    for (const [n, raw] of mails.entries()) {
      expect(heads[n]).toMatch(new RegExp(`^X-RcptTo: ${member.email}$`, 'im'))
      expect(heads[n]).not.toMatch(/^Bcc:/im)
      expect(heads[n]).toMatch(/^Auto-Submitted: auto-generated/im)
      const text = partOf({ raw }, 'text/plain')
      expect(text).toContain('..two dots')
      expect(text.split(/\r?\n/)).toContain('.')
      expect(partOf({ raw }, 'text/html')).not.toContain('<script>')
      expect(partOf({ raw }, 'text/csv')).toBe(content.toString())
    }
  })

  test('that shows a certificate of a stranger gets nothing', async () => {
    const server = await debianMailServer()
    await server.start()
    const { ctx, member, send } = await mailLab({ url: server.url, ca: '' })
    const lines = { topic: 'rule:1', subject: 'A subject', text: 'A text' }
    await enqueueNotice(ctx, { ...lines, dedupeKey: 'k', recipients: [{ userId: member.id }] })
    await send()
    expect((await listNoticeDeliveries(ctx, PAGE)).items).toMatchObject([{ status: 'waiting' }])
    expect(await server.mails()).toEqual([])
  })
})
