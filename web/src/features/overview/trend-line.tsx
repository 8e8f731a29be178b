import { count } from '#lib/numbers.ts'
import { day } from '#lib/dates.ts'
import styles from './trends.module.css'

export interface TrendPoint {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly n: number
}

interface TrendLineProps {
  readonly title: string
  readonly points: readonly TrendPoint[]
}

const [WIDTH, HEIGHT, MARGIN] = [300, 44, 3]

/** A line through what was counted; days without a count are passed over in their true distance. */
export function TrendLine({ title, points }: TrendLineProps) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const [from, to] = [Date.parse(first.day), Date.parse(last.day)]
  const values = points.map(({ n }) => n)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const x = (at: string) => ((Date.parse(at) - from) / Math.max(1, to - from)) * WIDTH
  const y = (n: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - MARGIN - ((n - least) / (most - least)) * (HEIGHT - 2 * MARGIN)
  const text = `${title}: ${count(first.n)} on ${nameOf(first.day)}, ${count(last.n)} on ${nameOf(last.day)}, at least ${count(least)}, at most ${count(most)}`
  return (
    <svg
      className={styles['line']}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <polyline points={points.map(({ day: at, n }) => `${x(at)},${y(n)}`).join(' ')} />
    </svg>
  )
}

const nameOf = (written: string): string => day(`${written}T12:00:00Z`)
