import { Link } from '@tanstack/react-router'
import type { FrameworkRow } from '#api/generated/compliance.ts'
import type { ControlStatus } from '#api/generated/enums-and-inputs.ts'
import { compareTerm, joinTerms } from '#features/conditions/condition-terms.ts'
import { count, many } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { STATUSES } from './control-statuses.ts'
import { figuresOf } from './figures.ts'
import { StatusBadge } from './status-badge.tsx'
import styles from './summary-panel.module.css'

/** How many controls have which status; each number leads to those controls. */
export function SummaryPanel({ framework }: { readonly framework: FrameworkRow }) {
  const { slug, controls, pass, warning, fail, notApplicable, notAssessed } = framework
  const counts: Readonly<Record<ControlStatus, number>> = {
    fail,
    warning,
    pass,
    not_applicable: notApplicable,
    not_assessed: notAssessed,
  }
  const judged = pass + warning + fail
  return (
    <Panel title="Where it stands">
      <p className={styles['lead']}>
        {judged === 0
          ? 'No control has been judged yet; the first round takes some seconds.'
          : verdict({ fail, warning, judged })}
      </p>
      <p className="quiet">
        {judged > 0 && `${figuresOf(framework)}. `}
        {notAssessed > 0 &&
          `${count(notAssessed)} of ${count(controls)} controls are about people and processes: somebody has to attest them.`}
      </p>
      <ul className={styles['counts']}>
        {STATUSES.filter((status) => counts[status] > 0).map((status) => (
          <li key={status}>
            <Link
              to="/compliance/controls"
              search={{ where: whereOf(slug, status) }}
              className={styles['count']}
            >
              <strong>{count(counts[status])}</strong> <StatusBadge status={status} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const whereOf = (framework: string, status: ControlStatus): string =>
  joinTerms([compareTerm('framework', [framework]), compareTerm('status', [status])])

interface Judged {
  readonly fail: number
  readonly warning: number
  readonly judged: number
}

function verdict({ fail, warning, judged }: Judged): string {
  if (fail === 0 && warning === 0) return `All ${many(judged, 'control')} that are judged pass.`
  const failing = `${count(fail)} of ${many(judged, 'control')} that are judged ${fail === 1 ? 'fails' : 'fail'}`
  return warning === 0
    ? `${failing}.`
    : `${failing}, ${count(warning)} ${warning === 1 ? 'is' : 'are'} doubtful.`
}
