import type { AssessmentState } from '#api/generated/enums-and-inputs.ts'
import { decimal } from '#lib/numbers.ts'
import { unassessedText } from '../assessment.ts'
import styles from './risk-score.module.css'
import { bandOf } from './risk-band.ts'

interface RiskScoreProps {
  readonly score: number
  /** Whether the asset was assessed, which qualifies a score of 0; undefined: not loaded. */
  readonly state?: AssessmentState | undefined
}

/** Risk score with the name of its band and a bar; without open findings a dash. */
export function RiskScore({ score, state }: RiskScoreProps) {
  if (score === 0 && state !== undefined && state !== 'assessed')
    return (
      <span className="quiet" title={unassessedText[state]}>
        Not assessed
      </span>
    )
  if (score === 0) return <span className="quiet">–</span>
  const [band, tone] = bandOf(score)
  return (
    <span className={styles['risk']} title={`${decimal(score, 1)} of 100: ${band}`}>
      <span className={styles['number']}>{decimal(score, 0)}</span>
      <span className={styles['track']} aria-hidden>
        <span className={styles['bar']} data-tone={tone} style={{ width: `${score}%` }} />
      </span>
    </span>
  )
}
