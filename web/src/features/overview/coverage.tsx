import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { OverviewCoverageDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { BarList } from '#ui/bar-list.tsx'
import { Panel } from '#ui/panel.tsx'
import { COVERAGE } from './coverage-conditions.ts'

export const coverageQuery = () => q(OverviewCoverageDocument, { ...COVERAGE })

const TITLES = {
  agent: 'An agent reports',
  login: 'A login reads it',
  neither: 'Seen from outside',
  owner: 'Without an owner',
  site: 'Without a site',
} as const

/** Of how many machines what is inside is known, and whose they are. */
export function Coverage() {
  const { data } = useQuery(coverageQuery())
  if (!data) return null
  const bars = (Object.keys(TITLES) as (keyof typeof TITLES)[]).map((key) => ({
    key,
    count: data[key].matching,
    label: (
      <Link to="/assets" search={{ where: COVERAGE[key] }}>
        {TITLES[key]}
      </Link>
    ),
  }))
  return (
    <Panel title="Coverage" aside={`of ${many(data.all.matching, 'machine')}`}>
      <BarList bars={bars} total={data.all.matching} />
    </Panel>
  )
}
