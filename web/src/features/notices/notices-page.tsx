import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { NoticesDocument, type NoticeChannelRow } from '#api/generated/notices.ts'
import { q } from '#api/query-client.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ChannelsPanel } from './channels-panel.tsx'
import { PreferencesPanel } from './preferences-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'
import { SentPanel } from './sent-panel.tsx'

const SENT_SHOWN = 20

/** What I am told, where and when; and the channels that everybody shares, unless the role is limited to some assets. */
export function NoticesPage() {
  const { session } = useRouteContext({ from: '/app' })
  const isLimited = session.limitedTo !== null
  const { data, error, refetch } = useQuery(q(NoticesDocument, { first: SENT_SHOWN, isLimited }))
  const channels = data?.noticeChannels
  return (
    <Page title="Notices" description="What Rollcall tells you by mail, in chat rooms and on phones.">
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <SkeletonBlock />}
      {data && (
        <>
          <OffBanner channels={channels ?? []} />
          <RulesPanel rules={data.noticeRules} channels={channels ?? []} subjects={data.noticeSubjects} />
          <PreferencesPanel preferences={data.noticePreferences} />
          {channels && <ChannelsPanel channels={channels} />}
          {data.noticeDeliveries && <SentPanel deliveries={data.noticeDeliveries} />}
        </>
      )}
    </Page>
  )
}

function OffBanner({ channels }: { readonly channels: readonly NoticeChannelRow[] }) {
  const off = channels.filter(({ disabledReason }) => disabledReason !== null)
  if (off.length === 0) return null
  return (
    <Alert color="red" variant="light" role="alert" mb="md">
      {off.map(({ id, name, disabledReason }) => (
        <div key={id}>
          The channel {name} was switched off: {disabledReason}
        </div>
      ))}
    </Alert>
  )
}
