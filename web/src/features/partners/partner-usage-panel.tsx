import type { PartnerData } from '#api/generated/partners.ts'
import { count, percent } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { Time } from '#ui/time.tsx'
import styles from './partner-usage-panel.module.css'

type Usage = PartnerData['partnerUsage']

/** How much of its limits a partner has used, and its requests of the last 30 days. */
export function PartnerUsagePanel({ usage }: { readonly usage: Usage }) {
  const { assetCount, quotaLimit, quotaUsedPct, overQuota, requestsToday, rateLimit, resetAt } = usage
  return (
    <Panel title="Usage">
      <div className={styles['parts']}>
        <div>
          <p className={styles['figure']}>
            {count(assetCount)} of {count(quotaLimit)} assets{' '}
            {overQuota ? (
              <Badge tone="warn" sign="!">
                Over quota
              </Badge>
            ) : null}
          </p>
          <ProgressBar label="Asset quota used" share={Math.min(1, quotaUsedPct / 100)} />
          <p className="quiet">{percent(quotaUsedPct / 100)} of the quota</p>
        </div>
        <div>
          <p className={styles['figure']}>{count(requestsToday)} requests today</p>
          <Days days={usage.days} />
          <p className="quiet">
            At most {count(rateLimit)} per minute; counted anew <Time at={resetAt} />
          </p>
        </div>
      </div>
    </Panel>
  )
}

function Days({ days }: Pick<Usage, 'days'>) {
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  return (
    <div className={styles['days']} role="img" aria-label={`${count(total)} requests in the last 30 days`}>
      {days.map(({ day, requests }) => (
        <span
          key={day}
          className={styles['day']}
          title={`${day}: ${count(requests)}`}
          style={{ height: `${requests === 0 ? 4 : Math.max(8, (requests / most) * 100)}%` }}
        />
      ))}
    </div>
  )
}
