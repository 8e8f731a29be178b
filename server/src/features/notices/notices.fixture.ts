import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { TlsMode } from '#platform/egress/mailer.ts'
import { openMailer } from '#platform/egress/mailer.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { mailServer, type MailServer } from '#test/support/mail/mail-server.ts'
import { isHeldBack } from './delivery/outbox-store.ts'
import { sendDue } from './delivery/send-due.ts'

/** As `noticeLab`, over another mail server. */
export interface MailLab {
  readonly app: TestApp
  readonly ctx: Ctx
  /** A member of the tenant. */
  readonly member: { readonly id: string; readonly email: string }
  /** Moves the clock that notices read. */
  readonly pass: (minutes: number) => void
  /** What the worker does for the tenant, as if the pauses between messages to a channel were over. */
  readonly send: () => Promise<void>
}

export interface NoticeLab extends MailLab {
  readonly server: MailServer
}

/** An app with a member, a clock that the test moves, and a mail server that is not started yet. */
export async function noticeLab({ tls = 'required' as TlsMode, offersTls = true } = {}): Promise<NoticeLab> {
  const server = await mailServer({ offersTls })
  return { ...(await mailLab(server, tls)), server }
}

export async function mailLab(
  server: Pick<MailServer, 'url' | 'ca'>,
  tls: TlsMode = 'required',
): Promise<MailLab> {
  const clock = { ms: Date.now() }
  const mailer = await openMailer({ url: server.url, from: 'rollcall@example.org', tls, ca: server.ca })
  const publicUrl = 'https://inventory.example.org'
  const app = await testApp({ mailer, publicUrl, now: () => new Date(clock.ms) })
  const ctx = await app.newTenant()
  return {
    app,
    ctx,
    member: await newPerson(app, ctx, { isAdmin: true }),
    pass: (minutes) => void (clock.ms += minutes * 60_000),
    async send() {
      do {
        await ctx.db.run(
          sql`update notice_channels set last_attempt_at = null where tenant_id = ${ctx.tenantId}`,
        )
        await sendDue(ctx, AbortSignal.timeout(60_000))
      } while (await isHeldBack(ctx))
    },
  }
}
