import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { FAILURE_SENTENCES } from '#platform/egress/failures.ts'

const URL_MAX = 2_048

/**
 * Parses the URL of a receiver by the URL standard, without fragment. Throws `invalid` with field `url`. Whether it
 * may be reached is checked by `refuseUnreachable`, and again before every attempt.
 */
export function parseReceiverUrl(text: string): URL {
  if (text.length > URL_MAX) throw invalid('url', `must have at most ${URL_MAX} characters`)
  // The URL standard would drop or turn these silently; what is stored must be what was meant.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f-\u00a0\\]/u.test(text) || /\s/u.test(text))
    throw invalid('url', 'must not contain white space, control characters or backslashes')
  if (!/^https?:\/\//i.test(text)) throw invalid('url', 'must start with http:// or https://')
  const url = /^https?:\/\/[^/?#]/i.test(text) ? URL.parse(text) : null
  if (!url) throw invalid('url', 'is not a valid address of a receiver')
  if (url.username !== '' || url.password !== '')
    throw invalid('url', 'must not contain a user name or password')
  if (url.port === '0') throw invalid('url', 'must not name port 0')
  url.hash = ''
  if (url.href.length > URL_MAX) throw invalid('url', `must have at most ${URL_MAX} characters when encoded`)
  return url
}

/** Resolves DNS, so it must be called outside of transactions. */
export async function refuseUnreachable(ctx: Ctx, url: URL): Promise<void> {
  const vetted = await ctx.net.resolveAndCheck(url)
  if (!('fault' in vetted)) return
  ctx.log.info({ host: url.hostname, reason: vetted.reason ?? vetted.fault }, 'receiver refused')
  throw invalid('url', FAILURE_SENTENCES[vetted.fault])
}
