import { day, dayIn } from '#lib/dates.ts'
import { amount } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { daysUntil } from '../record-fields.ts'
import styles from './term-words.module.css'

/** Days before the end of a contract or licence from which it is marked. */
const SOON_DAYS = 90

/** Until when something runs, with a mark where that is soon or past; dates are `YYYY-MM-DD`. */
export function EndOf({ ends }: { readonly ends: string | null }) {
  if (ends === null) return <span className="quiet">No end</span>
  const days = daysUntil(ends, dayIn(0))
  return (
    <>
      <time className={styles['day']} dateTime={ends}>
        {day(ends)}
      </time>{' '}
      {days < 0 && (
        <Badge tone="bad" sign="!">
          Ended
        </Badge>
      )}
      {days >= 0 && days <= SOON_DAYS && (
        <Badge tone="warn" sign="◐">
          {days === 0 ? 'Today' : `In ${days} days`}
        </Badge>
      )}
    </>
  )
}

/** `1,299.00 EUR` */
export const costText = (cost: string | null, currency: string | null): string =>
  cost === null ? '–' : `${amount(cost)} ${currency ?? ''}`.trim()

/** The texts of a form as the server takes them: an empty one is not given. */
export const givenTexts = <Values extends Readonly<Record<string, string>>>(
  values: Values,
): { [Key in keyof Values]: string | null } =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim() || null])) as {
    [Key in keyof Values]: string | null
  }
