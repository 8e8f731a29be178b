import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PreviewOverrideDocument, type PreviewOverrideVariables } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import styles from './affected-findings-preview.module.css'

const TYPING_MS = 250

interface AffectedFindingsPreviewProps {
  /** Undefined while the form is incomplete. */
  readonly scope: PreviewOverrideVariables | undefined
  readonly isSeverity: boolean
}

/** The open findings that an override with this scope would change. Nothing is written. */
export function AffectedFindingsPreview({ scope, isSeverity }: AffectedFindingsPreviewProps) {
  const [debounced] = useDebouncedValue(scope, TYPING_MS)
  const { data } = useQuery({
    ...q(PreviewOverrideDocument, debounced ?? { cveId: '' }),
    enabled: debounced !== undefined,
    placeholderData: keepPreviousData,
  })
  if (scope === undefined || !data) return <p className={styles['reach']}>…</p>
  const { total, items } = data.previewOverride
  const names = [...new Set(items.map(({ assetName }) => assetName))]
  return (
    <div className={styles['reach']} role="status">
      <p>
        <strong>{count(total)}</strong> open {total === 1 ? 'finding' : 'findings'} would{' '}
        {isSeverity ? 'change' : 'disappear from the open ones'}
        {total === 0 ? '.' : ':'}
      </p>
      {total > 0 && (
        <p className={styles['names']}>
          {names.join(', ')}
          {total > items.length && ` and ${count(total - items.length)} more`}
        </p>
      )}
    </div>
  )
}
