import { endOfDay } from '#lib/dates.ts'

/** Of what an exception is made: of all that fail a check, of those with a tag, or of one asset. */
export interface ExceptionSubject {
  readonly checkId: string
  readonly title: string
  readonly asset?: { readonly id: string; readonly name: string }
}

export interface ExceptionValues extends Record<string, unknown> {
  readonly scope: 'all' | 'tag' | 'asset'
  readonly tag: string
  readonly reason: string
  /** E-mail address; empty: who makes it. */
  readonly owner: string
  /** YYYY-MM-DD in the person's time zone. */
  readonly endsOn: string
}

/** As the server takes it; a day that is none is refused there by name. */
export const variablesOf = (
  { checkId, asset }: ExceptionSubject,
  { scope, tag, reason, owner, endsOn }: ExceptionValues,
) => ({
  checkId,
  assetId: scope === 'asset' ? (asset?.id ?? null) : null,
  tag: scope === 'tag' ? tag.trim() : null,
  reason: reason.trim(),
  owner: owner.trim() === '' ? null : owner.trim(),
  expiresAt: endOfDay(endsOn)?.toISOString() ?? '',
})

/** What is wrong with the last day; undefined if nothing. */
export function dayError(endsOn: string, now = Date.now()): string | undefined {
  const end = endOfDay(endsOn)
  if (end === undefined) return 'Pick a day'
  return end.getTime() <= now ? 'This day has passed' : undefined
}
