import type { FeedRow } from '#api/generated/feeds.ts'
import { count, decimal } from '#lib/numbers.ts'
import { ProgressBar } from '#ui/progress-bar.tsx'
import styles from './feeds-page.module.css'

/** Progress of a sync; some upstreams do not give the total size. */
export function FeedProgress({ progress }: { readonly progress: NonNullable<FeedRow['progress']> }) {
  const { part, records, bytes, bytesTotal } = progress
  return (
    <span className={styles['progress']}>
      <ProgressBar
        label={`Progress of ${part}`}
        share={bytesTotal ? Math.min(1, bytes / bytesTotal) : null}
      />
      <span className="quiet">
        {part}: {count(records)} records, {megabytes(bytes)}
      </span>
    </span>
  )
}

const megabytes = (bytes: number): string => `${decimal(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`
