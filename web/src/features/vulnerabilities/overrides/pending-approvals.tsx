import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Hourglass } from 'lucide-react'
import { OverridesDocument } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { many } from '#lib/numbers.ts'
import styles from './pending-approvals.module.css'

/** The proposed overrides, of one CVE or of all. A panel that shows `PendingApprovals` later asks before, to load once. */
export function usePendingApprovals(cveId?: string) {
  const may = usePermission()
  return useQuery({
    ...q(OverridesDocument, { states: ['proposed'], cveId: cveId ?? null, first: 1, offset: 0 }),
    enabled: may('overrides:read'),
  })
}

/** Number of proposed overrides, of one CVE or of all, with a link; renders nothing if there are none. */
export function PendingApprovals({ cveId }: { readonly cveId?: string }) {
  const { data } = usePendingApprovals(cveId)
  const total = data?.overrides.total ?? 0
  if (total === 0) return null
  return (
    <p className={styles['notice']} role="status">
      <Hourglass className={styles['icon']} size={14} aria-hidden />
      <span>
        {many(total, 'override')} {cveId !== undefined && `of ${cveId} `}
        {total === 1 ? 'waits' : 'wait'} for approval and {total === 1 ? 'changes' : 'change'} nothing until
        then.{' '}
        {cveId === undefined ? (
          <Link to="/overrides" search={{ state: 'proposed' }}>
            Show what waits
          </Link>
        ) : (
          <Link to="/vulnerabilities/$cveId" params={{ cveId }}>
            Show it
          </Link>
        )}
      </span>
    </p>
  )
}
