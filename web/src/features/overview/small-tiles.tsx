import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChangeCountsDocument } from '#api/generated/changes.ts'
import { FeedsDocument } from '#api/generated/feeds.ts'
import { EndOfLifeDocument } from '#api/generated/lifecycles.ts'
import { FailedScansDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { changeFamilies } from '#features/changes/change-families.ts'
import { stretchOf } from '#features/changes/change-search-params.ts'
import { distanceTo } from '#features/lifecycles/end-of-life-dates.ts'
import { useOpenItems } from '#features/shell/navigation/use-open-items.ts'
import { zone } from '#lib/dates.ts'
import { inWords } from '#lib/in-words.ts'
import { count, many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { Lines } from './lines.tsx'

export const changesQuery = () => q(ChangeCountsDocument, { ...stretchOf({}), zone: zone() })
export const endsQuery = () => q(EndOfLifeDocument, { withinDays: 180, first: 5, offset: 0 })
export const failedScansQuery = () => q(FailedScansDocument, {})
export const feedsQuery = () => q(FeedsDocument, {})

const FEEDS_SHOWN = 6

export function SinceYesterday() {
  const { data } = useQuery(changesQuery())
  const may = usePermission()
  const families = changeFamilies.filter(({ permission }) => permission === undefined || may(permission))
  const counted = families.map((family) => ({
    ...family,
    n: (data?.changeCounts ?? []).reduce(
      (sum, it) => (family.kinds.includes(it.kind) ? sum + it.count : sum),
      0,
    ),
  }))
  return (
    <Panel title="Since yesterday" aside={<Link to="/changes">All changes</Link>}>
      <Lines
        isInColumns
        empty="Nothing changed since yesterday."
        lines={counted
          .filter(({ n }) => n > 0)
          .map(({ id, title, n }) => ({
            key: id,
            name: (
              <Link to="/changes" search={{ kind: id }}>
                {title}
              </Link>
            ),
            value: count(n),
          }))}
      />
    </Panel>
  )
}

export function Waiting() {
  const groups = useOpenItems() ?? []
  return (
    <Panel title="Waits for you">
      <Lines
        empty="Nothing waits for you."
        lines={groups
          .filter(({ total }) => total > 0)
          .map(({ kind, title, total, items }) => ({
            key: kind,
            name: <Link to={items[0]?.link ?? '/'}>{inWords(title)}</Link>,
            value: count(total),
          }))}
      />
    </Panel>
  )
}

export function FailedScans() {
  const { data } = useQuery(failedScansQuery())
  const { items = [], total = 0 } = data?.scans ?? {}
  return (
    <Panel
      title="Failed scans"
      aside={total > items.length && <Link to="/scans">{`${count(total)} in all`}</Link>}
    >
      <Lines
        empty="No scan failed."
        lines={items.map(({ id, type, targetAddress, message, finishedAt }) => ({
          key: id,
          name: (
            <Link to="/scans/$scanId" params={{ scanId: id }} title={message}>
              {type} of {targetAddress}
            </Link>
          ),
          value: <Time at={finishedAt} />,
        }))}
      />
    </Panel>
  )
}

export function Ends() {
  const { data } = useQuery(endsQuery())
  const { items = [], total = 0 } = data?.endOfLife ?? {}
  return (
    <Panel
      title="End of life"
      aside={<Link to="/end-of-life">{`${count(total)} past or within 180 days`}</Link>}
    >
      <Lines
        empty="Nothing that is known ends within 180 days."
        lines={items.map(({ id, name, version, endsOn, isEnded, assets }) => ({
          key: id,
          name: `${name} ${version}`.trim(),
          note: many(assets, 'asset'),
          value: endsOn === null ? (isEnded ? 'ended' : '') : distanceTo(endsOn),
        }))}
      />
    </Panel>
  )
}

/** The feeds whose data are oldest: those that never came first. */
export function FeedAges() {
  const { data } = useQuery(feedsQuery())
  const feeds = (data?.feeds ?? [])
    .filter(({ isEnabled, records }) => isEnabled || records > 0)
    .toSorted((a, b) => (a.syncedAt ?? '').localeCompare(b.syncedAt ?? ''))
  return (
    <Panel title="Feeds" aside={<Link to="/feeds">All</Link>}>
      <Lines
        empty="No feed is switched on or loaded from files, so nothing is compared with known vulnerabilities."
        lines={feeds.slice(0, FEEDS_SHOWN).map(({ name, title, syncedAt, failures, records }) => ({
          key: name,
          name: title,
          note: failures > 0 && (
            <Badge tone="bad" sign="!">
              {many(failures, 'failure')}
            </Badge>
          ),
          value: <Time at={syncedAt} none={records > 0 ? 'from files' : 'never came'} />,
        }))}
      />
    </Panel>
  )
}
