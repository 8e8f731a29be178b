import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleHelp } from 'lucide-react'
import { AssessmentDocument } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import styles from './overrides/pending-approvals.module.css'

/** Notice that some assets were not assessed, with reason and remedy; renders nothing if all were. */
export function AssessmentNotice() {
  const { data } = useQuery(q(AssessmentDocument, {}))
  if (!data) return null
  const { hasAdvisories, assets, assetsWithSoftware } = data.assessment
  const unassessed = assets - assetsWithSoftware
  if (hasAdvisories && unassessed === 0) return null
  return (
    <p className={styles['notice']} role="status">
      <CircleHelp className={styles['icon']} size={14} aria-hidden />
      {hasAdvisories ? (
        <span>
          Not assessed: {count(unassessed)} of {count(assets)} assets, since no source lists what is installed
          there. <Link to="/credentials">Let scans log in</Link> or{' '}
          <Link to="/imports">import their software</Link>.
        </span>
      ) : (
        <span>
          Not assessed: no advisories are loaded, so that no vulnerability can be found.{' '}
          <Link to="/feeds">Turn on the feeds of your systems</Link>.
        </span>
      )}
    </p>
  )
}
