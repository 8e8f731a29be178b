import { expect, test } from 'vitest'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { partOf } from '#test/support/mail/mail-server.ts'
import { needs } from '#test/support/needs.ts'
import type { ChannelKind } from './channels/channel.ts'
import { createChannel, enqueueNotice } from './notices.ts'
import { noticeLab } from './notices.fixture.ts'

/** What a host can call itself. */
const HOSTILE = [
  'a\r\nBcc: thief@example.net\r\n\r\nbody',
  '"><script>alert(1)</script><img src=https://example.net/x>',
  '<!channel> <@U123> <https://example.net|click here>',
  '@everyone @here @channel',
  '[click](https://example.net) **bold** `code` ![x](https://example.net/x.png)',
  'safe\u202egpj.exe \u2066 \u2069',
  '=?utf-8?q?Bcc:=20x?= \u2028 \u202e \ud800',
]

async function sentBy(kind: ChannelKind, name: string): Promise<Record<string, unknown>> {
  const { ctx, send } = await noticeLab()
  const there = await receiver()
  const { channel } = await createChannel(ctx, { name: 'room', kind, url: `${there.url}/topic` })
  await enqueueNotice(ctx, {
    dedupeKey: 'n',
    topic: 'rule:1',
    recipients: [{ channelId: channel.id }],
    subject: name,
    text: name,
    link: '/assets/1',
  })
  await send()
  expect(there.requests).toHaveLength(1)
  return JSON.parse(String(there.requests[0]?.body)) as Record<string, unknown>
}

needs('openssl')('a hostile name in mail', () => {
  test('adds no header, no recipient and no markup', async () => {
    const { ctx, member, server, send } = await noticeLab()
    await server.start()
    for (const [n, name] of HOSTILE.entries())
      await enqueueNotice(ctx, {
        dedupeKey: `n${n}`,
        topic: 'rule:1',
        recipients: [{ userId: member.id }],
        subject: name,
        text: name,
      })
    await send()
    expect(server.mails).toHaveLength(HOSTILE.length)
    for (const mail of server.mails) {
      expect(mail.to).toEqual([member.email])
      expect(mail.headers.map(([name]) => name).toSorted()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'list-unsubscribe',
        'list-unsubscribe-post',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ])
      expect(mail.raw.normalize()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|=E2=80=A[A-E]/)
      const html = partOf(mail, 'text/html')
      const allowed =
        /<(!doctype html|\/?(html|head|body|h1|p)|br|meta charset="utf-8"|a href="https:\/\/inventory\.example\.org\/[^"<>]*"|\/a)>/g
      expect(html.replaceAll(allowed, '')).not.toMatch(/[<>]/)
    }
  })
})

needs('openssl')('a hostile name in a chat room', () => {
  test('is no markup and no mention in Slack', async () => {
    const { text, blocks } = await sentBy('slack', HOSTILE.join(' '))
    expect(text).not.toMatch(/[<>]/)
    expect(text).not.toMatch(/&(?!amp;|lt;|gt;)/)
    const types = (blocks as { text: { type: string; text: string } }[]).map((it) => it.text)
    expect(types.slice(0, -1).every(({ type }) => type === 'plain_text')).toBe(true)
    expect(types.at(-1)?.text).toMatch(/^<https:\/\/inventory\.example\.org\/t\/[\w/-]+\|Open in Rollcall>$/)
  })

  test.each(['mattermost', 'discord'] as const)('is no markup and no mention in %s', async (kind) => {
    const sent = await sentBy(kind, HOSTILE.join(' '))
    const text = String(sent['text'] ?? sent['content'])
    const foreign = text.replace(/^\*\*|\*\*\n|\n.*$/gs, '')
    expect(foreign).not.toMatch(/(?<!\\)[[\]()<>`*_!]/)
    expect(text).not.toMatch(/@(?!\u200b)/)
    expect(sent['allowed_mentions']).toEqual(kind === 'discord' ? { parse: [] } : undefined)
  })

  test('is a run of text in Teams, and JSON for ntfy', async () => {
    const card = JSON.stringify(await sentBy('teams', HOSTILE.join(' ')))
    expect(card).not.toContain('"TextBlock"')
    expect(card.match(/"type":"RichTextBlock"/g)).toHaveLength(2)
    expect(await sentBy('ntfy', HOSTILE.join(' '))).toMatchObject({ topic: 'topic', priority: 3 })
  })
})
