import { endOfDay } from '#lib/dates.ts'

/** What an exception is from: a check, or a control. */
export type ExceptionSubject = (
  | { readonly checkId: string }
  | { readonly framework: string; readonly controlId: string }
) & {
  readonly title: string
  /** It can be of this one alone. */
  readonly asset?: { readonly id: string; readonly name: string }
}

export interface ExceptionValues extends Record<string, unknown> {
  readonly scope: 'all' | 'tag' | 'where' | 'asset'
  readonly tag: string
  /** A condition on assets. */
  readonly where: string
  readonly reason: string
  /** E-mail address; empty: who makes it. */
  readonly owner: string
  /** YYYY-MM-DD in the person's time zone. */
  readonly endsOn: string
}

/** What it is from and of which assets, as the server takes it; undefined while that is not said. */
export function targetOf(subject: ExceptionSubject, { scope, tag, where }: ExceptionValues) {
  if ((scope === 'tag' && tag.trim() === '') || (scope === 'where' && where.trim() === '')) return undefined
  const { asset, title: _title, ...from } = subject
  return {
    ...from,
    assetId: scope === 'asset' ? (asset?.id ?? null) : null,
    tag: scope === 'tag' ? tag.trim() : null,
    where: scope === 'where' ? where.trim() : null,
  }
}

/** As the server takes it; a day that is none is refused there by name. */
export const variablesOf = (subject: ExceptionSubject, values: ExceptionValues) => ({
  ...targetOf(subject, values),
  ...aboutOf(values),
})

const aboutOf = ({ reason, owner, endsOn }: ExceptionValues) => ({
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
