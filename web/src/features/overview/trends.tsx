import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { InventoryTrendDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { day } from '#lib/dates.ts'
import { count } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { TrendLine, type TrendPoint } from './trend-line.tsx'
import styles from './trends.module.css'

const MONTH = '30'

export const trendQuery = (days = Number(MONTH)) => q(InventoryTrendDocument, { days })

/** What the nights counted, of 30 or 365 days. */
export function Trends() {
  const [days, setDays] = useState(MONTH)
  const { data } = useQuery({ ...trendQuery(Number(days)), placeholderData: keepPreviousData })
  if (!data) return null
  const { nights, countedSince } = data.inventoryTrend
  const series: readonly (readonly [string, readonly TrendPoint[]])[] = [
    ['Assets', nights.map(({ day: at, assets }) => ({ day: at, n: assets }))],
    ['Open findings', nights.flatMap(({ day: at, openFindings: n }) => (n === null ? [] : [{ day: at, n }]))],
  ]
  const isFirstNight = countedSince === null || (nights.length === 1 && countedSince === nights[0]?.day)
  return (
    <Panel title="Trends" aside={!isFirstNight && <Days days={days} onChange={setDays} />}>
      {!isFirstNight &&
        series.map(([title, points]) => points[0] && <Series key={title} title={title} points={points} />)}
      <p className={styles['since']}>{sinceText(countedSince, nights.length)}</p>
    </Panel>
  )
}

interface DaysProps {
  readonly days: string
  readonly onChange: (days: string) => void
}

const Days = ({ days, onChange }: DaysProps) => (
  <SegmentedControl
    size="xs"
    aria-label="Days"
    data={[
      { value: MONTH, label: '30 days' },
      { value: '365', label: '365 days' },
    ]}
    value={days}
    onChange={onChange}
  />
)

interface SeriesProps {
  readonly title: string
  readonly points: readonly TrendPoint[]
}

/** One night alone is a number with its day; a line would claim that nothing changed. */
const Series = ({ title, points }: SeriesProps) => (
  <div className={styles['series']}>
    <span className={styles['name']}>{title}</span>
    {points.length > 1 ? (
      <TrendLine title={title} points={points} />
    ) : (
      <span className="quiet">{day(`${points[0]?.day}T12:00:00Z`)}</span>
    )}
    <span className={styles['value']}>
      {count(points.at(-1)?.n ?? 0)}{' '}
      {points.length > 1 && <span className="quiet">{difference(points)}</span>}
    </span>
  </div>
)

function difference(points: readonly TrendPoint[]): string {
  const n = (points.at(-1)?.n ?? 0) - (points[0]?.n ?? 0)
  return n === 0 ? '±0' : n > 0 ? `+${count(n)}` : `−${count(-n)}`
}

function sinceText(countedSince: string | null, nights: number): string {
  if (countedSince === null) return 'Counted every night; the first one is still to come.'
  const since = `Counted every night since ${day(`${countedSince}T12:00:00Z`)}`
  return nights < 2 ? `${since}; there is a line from the second night on.` : `${since}.`
}
