import type { SimulationData } from '#api/generated/simulation.ts'
import styles from './before-after-bars.module.css'
import { figureText } from './figure-text.ts'

type Measure = SimulationData['simulation']['measures'][number]

/**
 * Each measure as two bars on a scale of its own, for they count different things. A measure of which one side is not
 * known has no bars: it stands in the table.
 */
export function BeforeAfterBars({ measures }: { readonly measures: readonly Measure[] }) {
  const known = measures.flatMap((it) =>
    it.before === null || it.after === null || (isZero(it.before) && isZero(it.after))
      ? []
      : [{ ...it, before: it.before, after: it.after }],
  )
  return (
    <ul className={styles['list']}>
      {known.map(({ measure, unit, before, after }) => {
        const most = Math.max(Math.abs(Number(before)), Math.abs(Number(after)), 1)
        return (
          <li key={`${measure} ${unit}`} className={styles['measure']}>
            <span className={styles['name']}>{unit === '' ? measure : `${measure}, ${unit}`}</span>
            <span className={styles['bars']}>
              <Bar value={before} most={most} />
              <Bar isAfter value={after} most={most} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}

interface BarProps {
  readonly isAfter?: boolean
  readonly value: string
  readonly most: number
}

function Bar({ isAfter = false, value, most }: BarProps) {
  return (
    <span className={styles['bar']}>
      <span className={styles['track']} aria-hidden>
        <span
          className={styles['fill']}
          data-before={!isAfter || undefined}
          style={{ width: `${(Math.abs(Number(value)) / most) * 100}%` }}
        />
      </span>
      <span className={styles['value']}>
        {figureText(value)} <span className="quiet">{isAfter ? 'after' : 'before'}</span>
      </span>
    </span>
  )
}

const isZero = (decimal: string): boolean => Number(decimal) === 0
