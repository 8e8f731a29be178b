import type { Ctx } from '#platform/context.ts'

/** Something that waits for a person, or is out of order until somebody does something. */
export interface OpenItem {
  /** The same for as long as it is open, within its kind. */
  readonly key: string
  readonly subject: string
  /** A path of the app below the tenant. */
  readonly link: string
}

export interface OpenItemKind {
  readonly name: string
  /** A heading for several of them. */
  readonly title: string
  readonly permission: string
  /** Items are about all assets of the organisation, so they are not for who is limited to some of them. */
  readonly isOfAllAssets?: boolean
  /** Items of it that the actor may see, `limit` at most, and how many there are. */
  readonly find: (
    ctx: Ctx,
    limit: number,
  ) => Promise<{ readonly items: readonly OpenItem[]; readonly total: number }>
}

/** For lists that are read whole. */
export const whole = (items: readonly OpenItem[], limit: number) => ({
  items: items.slice(0, limit),
  total: items.length,
})

const DAY_MS = 86_400_000

/** Whether an end lies within so many days from now; what has ended does not count. */
export const endsWithin = (ctx: Ctx, end: string | null, days: number): boolean => {
  if (end === null) return false
  const left = Date.parse(end) - ctx.now().getTime()
  return left > 0 && left <= days * DAY_MS
}

export const isWithinLastDay = (ctx: Ctx, at: string | null): boolean =>
  at !== null && ctx.now().getTime() - Date.parse(at) <= DAY_MS
