import type { Ctx } from '#platform/context.ts'
import type { RecipientRef } from '../notice.ts'

/** What a link in a mail stands for. Sealed, so that nobody can make one for somebody else. */
export interface SubscriptionLink {
  readonly action: 'unsubscribe' | 'confirm'
  readonly tenantId: string
  readonly recipient: RecipientRef
  readonly topic: string
  /** RFC 3339; after it the link does nothing. */
  readonly until?: string
}

export const LINK_PATH = '/notices'
const CONTEXT = 'notice-subscription-link'

export const linkUrl = (ctx: Pick<Ctx, 'seal' | 'publicUrl'>, link: SubscriptionLink): string =>
  `${ctx.publicUrl}${LINK_PATH}/${link.action}/${ctx.seal.seal(JSON.stringify(link), CONTEXT).toString('base64url')}`

/** Undefined: not ours, changed, or over. */
export function readLink(
  { seal, now }: Pick<Ctx, 'seal' | 'now'>,
  action: SubscriptionLink['action'],
  token: string,
): SubscriptionLink | undefined {
  try {
    const link = JSON.parse(seal.open(Buffer.from(token, 'base64url'), CONTEXT)) as SubscriptionLink
    const isOver = link.until !== undefined && Date.parse(link.until) < now().getTime()
    return link.action === action && !isOver ? link : undefined
  } catch {
    return undefined
  }
}
