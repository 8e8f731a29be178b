import styles from './risk-score.module.css'
import { bandOf } from './risk-band.ts'

/** The risk score of an asset, with its band as a word and a bar; an asset without open findings has none. */
export function RiskScore({ score }: { readonly score: number }) {
  if (score === 0) return <span className="quiet">–</span>
  const [band, tone] = bandOf(score)
  return (
    <span className={styles['risk']} title={`${score.toFixed(1)} of 100: ${band}`}>
      <span className={styles['number']}>{score.toFixed(0)}</span>
      <span className={styles['track']} aria-hidden>
        <span className={styles['bar']} data-tone={tone} style={{ width: `${score}%` }} />
      </span>
    </span>
  )
}
