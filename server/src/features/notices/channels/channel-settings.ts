import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { newSecret } from '#platform/secrets/random-keys.ts'
import { refuseUnprintable } from '#platform/validation/checked-name.ts'
import { parseReceiverUrl } from '#features/webhooks/webhooks.ts'
import type { ChannelKind, ChannelSettings } from './channel.ts'

export const sealContext = (tenantId: string, channelId: string): string =>
  `notice-channel:${tenantId}:${channelId}`

export const sealSettings = (ctx: Ctx, id: string, settings: ChannelSettings): Buffer =>
  ctx.seal.seal(JSON.stringify(settings), sealContext(ctx.tenantId, id))

export const openSettings = (ctx: Ctx, id: string, sealed: Buffer): ChannelSettings =>
  JSON.parse(ctx.seal.open(sealed, sealContext(ctx.tenantId, id))) as ChannelSettings

const TOKEN_LENGTH_MAX = 500
const SECRET = /^[\x21-\x7e]{16,128}$/
const EMAIL = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\]+$/
const EMAIL_LENGTH_MAX = 254

/** Checks what a person gave for a channel of this kind. Throws 400 that names the field. A secret is made unless given. */
export function checkedSettings(kind: ChannelKind, given: ChannelSettings): ChannelSettings {
  if (kind === 'mail') return { address: checkedAddress(given.address ?? '') }
  const url = parseReceiverUrl(given.url ?? '')
  if (kind === 'ntfy') {
    if (topicOf(url) === '') throw invalid('url', 'must end with a topic, such as https://ntfy.sh/my-topic')
    return { url: url.href, ...(given.token && { token: checkedToken(given.token) }) }
  }
  if (kind !== 'generic') return { url: url.href }
  const secret = given.secret || newSecret()
  if (!SECRET.test(secret)) throw invalid('secret', 'must be 16 to 128 visible characters of ASCII')
  return { url: url.href, secret }
}

/** What people may see of it: the path of a chat room's address is a secret. */
export const destinationOf = ({ url, address }: ChannelSettings): string =>
  address ?? (url === undefined ? '' : new URL(url).host)

/** The last part of the path, which ntfy calls the topic. */
export const topicOf = (url: URL): string => url.pathname.split('/').at(-1) ?? ''

function checkedAddress(text: string): string {
  const address = text.trim()
  if (address.length > EMAIL_LENGTH_MAX || !EMAIL.test(address))
    throw invalid('address', 'must be one e-mail address')
  refuseUnprintable('address', address)
  return address
}

function checkedToken(text: string): string {
  if (text.length > TOKEN_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(text))
    throw invalid('token', `must be at most ${TOKEN_LENGTH_MAX} visible characters of ASCII`)
  return text
}
