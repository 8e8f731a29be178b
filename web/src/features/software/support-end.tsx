import { day as dayText } from '#lib/dates.ts'
import { daysTo } from '#features/lifecycles/end-of-life-dates.ts'
import { Badge } from '#ui/badge.tsx'

/** Until when its maker supports it. */
export function SupportEnd({ day }: { readonly day: string | null }) {
  if (day === null) return <span className="quiet">not known</span>
  const hasEnded = daysTo(day) < 0
  return hasEnded ? (
    <Badge tone="bad">{`ended ${dayText(day)}`}</Badge>
  ) : (
    <time dateTime={day}>{dayText(day)}</time>
  )
}
