import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AssetRow } from '#api/generated/assets.ts'
import { PossibleDuplicatesDocument } from '#api/generated/duplicates.ts'
import { q } from '#api/query-client.ts'
import { percent } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import styles from './possible-duplicates-panel.module.css'
import { MatchReasons } from '../evidence/match-reasons.tsx'

const SHOWN_MAX = 5

/** Possible duplicates of this asset; renders nothing if there are none. */
export function PossibleDuplicatesPanel({ asset }: { readonly asset: Pick<AssetRow, 'id'> }) {
  const { data } = useQuery(q(PossibleDuplicatesDocument, { assetId: asset.id, first: SHOWN_MAX, offset: 0 }))
  const pairs = data?.possibleDuplicates.items ?? []
  if (pairs.length === 0) return null
  return (
    <Panel
      title="Possibly the same"
      aside={
        <Link to="/duplicates" search={{ asset: asset.id }}>
          Decide
        </Link>
      }
    >
      {pairs.map(({ assetA, assetB, score, reasons, suggestion }) => {
        const other = assetA.id === asset.id ? assetB : assetA
        return (
          <div key={other.id} className={styles['pair']}>
            <div className={styles['line']}>
              <Link to="/assets/$assetId" params={{ assetId: other.id }}>
                {other.name}
              </Link>
              <Badge tone="warn" sign="◐">
                {score > 0 ? percent(score) : 'Suggested'}
              </Badge>
            </div>
            <MatchReasons reasons={reasons} />
            {suggestion && <p className={styles['suggestion']}>{suggestion.reason}</p>}
          </div>
        )
      })}
    </Panel>
  )
}
