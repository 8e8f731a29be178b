import type { HostResults } from './host-content.ts'

/** Queries that failed since they last ran, by their name. `at` in RFC 3339. */
export type QueryFailures = Readonly<Record<string, { readonly times: number; readonly at: string }>>

/** osquery ends its worker over a query that takes too much, and the same query ends the next one. */
const FAILURES_UNTIL_RARE = 3
const RARE_EVERY_MS = 24 * 3_600_000

/** A query that was neither answered nor failed stays as it was: a discovery left it out, or it was not asked. */
export function failuresAfter(
  before: QueryFailures,
  { rows, failed }: HostResults,
  now: Date,
): QueryFailures {
  const staying = Object.entries(before).filter(([name]) => !rows.has(name))
  const again = [...failed].map((name) => {
    const times = (before[name]?.times ?? 0) + 1
    return [name, { times, at: now.toISOString() }] as const
  })
  return { ...Object.fromEntries(staying), ...Object.fromEntries(again) }
}

/** Those that are not asked now, because they failed several times and were asked within a day. */
export const restingQueries = (failures: QueryFailures, now: Date): ReadonlySet<string> =>
  new Set(
    Object.entries(failures)
      .filter(([, it]) => it.times >= FAILURES_UNTIL_RARE)
      .filter(([, it]) => now.getTime() - Date.parse(it.at) < RARE_EVERY_MS)
      .map(([name]) => name),
  )

/** What a query that rests would have told stays, as if it had failed once more. */
export const withResting = ({ rows, failed }: HostResults, failures: QueryFailures): HostResults => ({
  rows,
  failed: new Set([...failed, ...Object.keys(failures).filter((name) => !rows.has(name))]),
})
