import { useQuery } from '@tanstack/react-query'
import { ComplianceMonthsDocument } from '#api/generated/checks.ts'
import { q } from '#api/query-client.ts'
import { day } from '#lib/dates.ts'
import { Panel } from '#ui/panel.tsx'
import { heightsOf } from './months.ts'
import styles from './months-panel.module.css'

const WIDTH = 600
const HEIGHT = 96

/** How many controls pass, in the last twelve months. */
export function MonthsPanel({ framework }: { readonly framework: string }) {
  const { data } = useQuery(q(ComplianceMonthsDocument, { framework }))
  const months = (data?.complianceMonths ?? []).filter(({ pass, warning, fail }) => pass + warning + fail > 0)
  const [first, last] = [months[0], months.at(-1)]
  // a line needs two points: none before the end of the first month with a judgement
  if (!first || !last || months.length < 2) return null
  const step = WIDTH / (months.length - 1)
  const points = heightsOf(months).map((share, at) => `${at * step},${HEIGHT - share * HEIGHT}`)
  return (
    <Panel title="Twelve months">
      <svg
        className={styles['line']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Controls that pass: ${first.pass} on ${day(first.at)}, ${last.pass} of ${last.pass + last.warning + last.fail} judged now`}
      >
        <polyline points={points.join(' ')} />
      </svg>
      <p className="quiet">
        {last.pass} controls pass of {last.pass + last.warning + last.fail} that are judged now; {first.pass}{' '}
        passed on {day(first.at)}.
      </p>
    </Panel>
  )
}
