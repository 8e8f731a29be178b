import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw, Rss } from 'lucide-react'
import {
  FeedsDocument,
  SetFeedEnabledDocument,
  SyncFeedDocument,
  type FeedRow,
} from '#api/generated/feeds.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { FeedProgress } from './feed-progress.tsx'
import styles from './feeds-page.module.css'

/** Polling interval while a sync runs. */
const REFRESH_MS = 2_000

export function FeedsPage() {
  const may = usePermission()
  const { data, error, refetch } = useQuery({
    ...q(FeedsDocument, {}),
    refetchInterval: ({ state }) => (state.data?.feeds.some(isBusy) ? REFRESH_MS : false),
  })
  const feeds = data?.feeds.toSorted((a, b) => Number(b.isEnabled) - Number(a.isEnabled))
  return (
    <Page
      title="Feeds"
      aside={data && <FeedCounts feeds={data.feeds} />}
      description="Public records of vulnerabilities. None is fetched before you turn it on; where no network is, rollcall feeds load NAME FILE brings it by hand. All organisations of this server share the catalogue."
    >
      <Panel isFlush>
        <DataTable
          label="Feeds"
          columns={may('feeds:write') ? [...columns, switches] : columns}
          rows={feeds}
          keyOf={({ name }) => name}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <EmptyState icon={Rss} title="No feed">
              This server knows none.
            </EmptyState>
          }
        />
      </Panel>
      {feeds && <Attributions feeds={feeds} />}
    </Page>
  )
}

/** Those that are fetched, and those that somebody fills by hand: the latter know something as well. */
function FeedCounts({ feeds }: { readonly feeds: readonly FeedRow[] }) {
  const fetched = feeds.filter(({ isEnabled }) => isEnabled).length
  const byHand = feeds.filter(({ isEnabled, records }) => !isEnabled && records > 0).length
  return (
    <>
      <Badge>{count(fetched)} on</Badge>
      {byHand > 0 && <Badge>{count(byHand)} brought by hand</Badge>}
    </>
  )
}

const isBusy = ({ isRunning, isRequested }: FeedRow): boolean => isRunning || isRequested

const columns: readonly Column<FeedRow>[] = [
  {
    title: 'Feed',
    sortBy: ({ title }) => title,
    cell: ({ title, name }) => (
      <TwoLines below={<code>{name}</code>}>
        <span className={styles['title']}>{title}</span>
      </TwoLines>
    ),
  },
  { title: 'State', cell: (feed) => <State feed={feed} /> },
  {
    title: 'Records',
    isMinor: true,
    sortBy: ({ records }) => records,
    align: 'right',
    cell: ({ records }) => count(records),
  },
  {
    title: 'Synced',
    isMinor: true,
    sortBy: ({ syncedAt }) => syncedAt,
    cell: ({ syncedAt, nextAt }) => (
      <TwoLines
        below={
          nextAt === null ? (
            ''
          ) : (
            <>
              next <Time at={nextAt} />
            </>
          )
        }
      >
        <Time at={syncedAt} />
      </TwoLines>
    ),
  },
]

const switches: Column<FeedRow> = { title: '', align: 'right', cell: (feed) => <Switches feed={feed} /> }

function State({ feed }: { readonly feed: FeedRow }) {
  const { isRunning, isRequested, lastError, failures, isEnabled, records, progress } = feed
  if (isRunning && progress) return <FeedProgress progress={progress} />
  if (isBusy(feed))
    return (
      <Badge tone="info" sign="…">
        {isRequested && !isRunning ? 'Waits for a worker' : 'Syncing'}
      </Badge>
    )
  if (lastError !== null)
    return (
      <TwoLines below={<span className={styles['fault']}>{lastError}</span>}>
        <Badge tone="bad" sign="!">
          Failed {failures > 1 && `${failures} times`}
        </Badge>
      </TwoLines>
    )
  if (isEnabled || records > 0)
    return (
      <Badge tone={isEnabled ? 'good' : 'none'} sign={isEnabled ? '●' : '○'}>
        {isEnabled ? 'On' : 'By hand'}
      </Badge>
    )
  return <Badge sign="○">Off</Badge>
}

function Switches({ feed }: { readonly feed: FeedRow }) {
  const { name, title, isEnabled, isFetchable } = feed
  const sync = useChange(SyncFeedDocument, { done: `${title}: sync asked for` })
  const enable = useChange(SetFeedEnabledDocument, {
    done: ({ setFeedEnabled }) => `${title} is ${setFeedEnabled.isEnabled ? 'on' : 'off'}`,
  })
  if (!isFetchable) return <span className="quiet">by hand</span>
  return (
    <span className={styles['switches']}>
      <Button
        variant="default"
        size="compact-sm"
        disabled={isBusy(feed)}
        aria-label={`Sync ${title} now`}
        onClick={() => sync.mutate({ name })}
      >
        <RefreshCw size={13} aria-hidden />
        <span className={styles['word']}>Sync</span>
      </Button>
      <Switch
        aria-label={`Fetch ${title} regularly`}
        checked={isEnabled}
        onChange={({ currentTarget }) => enable.mutate({ name, enabled: currentTarget.checked })}
      />
    </span>
  )
}

/** Attributions, which the licences of the feeds require. */
function Attributions({ feeds }: { readonly feeds: readonly FeedRow[] }) {
  const said = [...new Set(feeds.map(({ attribution }) => attribution).filter(Boolean))]
  return (
    <ul className={styles['attributions']}>
      {said.map((it) => (
        <li key={it}>{it}</li>
      ))}
    </ul>
  )
}
