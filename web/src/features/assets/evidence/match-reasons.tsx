import type { Evidence } from '#api/generated/asset.ts'
import { percent } from '#lib/numbers.ts'
import { identifierName } from './identifier-labels.ts'
import styles from './match-reasons.module.css'

/** The identifiers that two observations share, with the weight of each. */
export function MatchReasons({ reasons }: { readonly reasons: readonly Evidence[] }) {
  return (
    <ul className={styles['reasons']}>
      {reasons.map(({ type, value, weight }) => (
        <li key={`${type} ${value}`} className={styles['reason']}>
          <span>
            Same {identifierName(type)} <code className={styles['value']}>{value}</code>
          </span>
          <Weight share={weight} />
        </li>
      ))}
    </ul>
  )
}

/** A share as a bar and a number. */
export function Weight({ share }: { readonly share: number }) {
  return (
    <span className={styles['weight']}>
      <span className={styles['track']} aria-hidden>
        <span className={styles['bar']} style={{ width: percent(share) }} />
      </span>
      {percent(share)}
    </span>
  )
}
