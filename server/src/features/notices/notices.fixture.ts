import type { Ctx } from '#platform/context.ts'
import type { TlsMode } from '#platform/egress/mailer.ts'
import { openMailer } from '#platform/egress/mailer.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { mailServer, type MailServer } from '#test/support/mail/mail-server.ts'
import { sendDue } from './delivery/send-due.ts'

export interface NoticeLab {
  readonly app: TestApp
  readonly ctx: Ctx
  /** A member of the tenant. */
  readonly member: { readonly id: string; readonly email: string }
  readonly server: MailServer
  /** Moves the clock that notices read. */
  readonly pass: (minutes: number) => void
  /** What the worker does for the tenant. */
  readonly send: () => Promise<void>
}

/** An app with a member, a clock that the test moves, and a mail server that is not started yet. */
export async function noticeLab({ tls = 'required' as TlsMode, offersTls = true } = {}): Promise<NoticeLab> {
  const server = await mailServer({ offersTls })
  const clock = { ms: Date.now() }
  const mailer = openMailer({ url: server.url, from: 'rollcall@example.org', tls, ca: server.ca })
  const publicUrl = 'https://inventory.example.org'
  const app = await testApp({ mailer, publicUrl, now: () => new Date(clock.ms) })
  const ctx = await app.newTenant()
  return {
    app,
    ctx,
    member: await newPerson(app, ctx, { isAdmin: true }),
    server,
    pass: (minutes) => void (clock.ms += minutes * 60_000),
    send: () => sendDue(ctx, AbortSignal.timeout(60_000)),
  }
}
