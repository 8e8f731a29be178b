import type { Transporter } from 'nodemailer'
import { withoutControlCharacters } from '../validation/control-characters.ts'

/** Sends mail through the one SMTP server that the operator names. */
export interface Mailer {
  /** Resolves when the server has taken the mail; throws `MailFailure` when it has not, or nobody knows. */
  readonly send: (mail: Mail) => Promise<void>
  readonly close: () => void
}

export interface Mail {
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without angle brackets. The same for each attempt, so that servers and clients can drop a repetition. */
  readonly messageId: string
  /** Where a POST ends the subscription (RFC 8058). */
  readonly unsubscribeUrl?: string
  readonly attachment?: { readonly name: string; readonly type: string; readonly content: Buffer }
}

export const tlsModes = ['required', 'optional', 'none'] as const
export type TlsMode = (typeof tlsModes)[number]

export interface MailerOptions {
  /** `smtp://user:password@host:587` or `smtps://host:465`. */
  readonly url: string
  readonly from: string
  /** `optional`: STARTTLS where the server offers it, with any certificate. */
  readonly tls: TlsMode
  /** Certificate authorities beside the system's, PEM. */
  readonly ca?: string
}

/** Why a mail was not taken; the message holds no secret. `isFinal`: the server refused this recipient for good. */
export class MailFailure extends Error {
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.name = 'MailFailure'
    this.isFinal = isFinal
  }
}

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

/** Opens no connection yet. The library is loaded here, where somebody sends mail. */
export async function openMailer({ url, from, tls, ca }: MailerOptions): Promise<Mailer> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...serverOf(url, tls), ...(ca && { tls: { ca } }) })
  return {
    send: (mail) => sendWith(transport, from, mail),
    close: () => transport.close(),
  }
}

function serverOf(text: string, tls: TlsMode) {
  const url = new URL(text)
  const isImplicit = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isImplicit ? 465 : 587),
    secure: isImplicit,
    requireTLS: !isImplicit && tls === 'required',
    ignoreTLS: !isImplicit && tls === 'none',
    ...(tls === 'optional' && { tls: { rejectUnauthorized: false } }),
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // what a message says must never make the server read a file or an address
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

async function sendWith(transport: Transporter, from: string, mail: Mail): Promise<void> {
  try {
    await transport.sendMail({
      from,
      // as an object, so that no text is parsed as a list of addresses
      to: { name: '', address: mail.to },
      subject: withoutControlCharacters(mail.subject),
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.messageId}>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribing(mail.unsubscribeUrl) },
      ...(mail.attachment && {
        attachments: [
          {
            filename: withoutControlCharacters(mail.attachment.name),
            contentType: mail.attachment.type,
            content: mail.attachment.content,
          },
        ],
      }),
    })
  } catch (error) {
    throw failureOf(error as SmtpError)
  }
}

const unsubscribing = (url: string | undefined) =>
  url === undefined
    ? {}
    : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
}

/** Our own words: what a server answers may repeat what it was given, the password included. */
function failureOf({ code, command, responseCode }: SmtpError): MailFailure {
  const isFinal = command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500
  if (code === 'EAUTH') return new MailFailure('the mail server refused the user name or password', false)
  if (code === 'ETLS') return new MailFailure('no TLS connection to the mail server could be made', false)
  if (responseCode !== undefined)
    return new MailFailure(
      `the mail server answered ${responseCode}${command ? ` to ${command}` : ''}`,
      isFinal,
    )
  return new MailFailure(`the mail server could not be used (${code ?? 'unknown'})`, false)
}
