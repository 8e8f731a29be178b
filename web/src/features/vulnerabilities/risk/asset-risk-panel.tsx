import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AssessmentState, Criticality, Exposure } from '#api/generated/enums-and-inputs.ts'
import {
  AssetRiskDocument,
  SetAssetWeightDocument,
  type AssetRiskData,
} from '#api/generated/vulnerabilities.ts'
import { send } from '#api/client.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { decimal, many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import styles from './asset-risk-panel.module.css'
import { unassessedText } from '../assessment.ts'
import { bandOf } from './risk-band.ts'
import { RiskSum, weightSum } from './risk-sum.tsx'

const CRITICALITIES = [
  { value: 'critical', label: 'Critical to the business' },
  { value: 'high', label: 'High' },
  { value: 'normal', label: 'Normal' },
  { value: 'low', label: 'Low' },
]
const EXPOSURES = [
  { value: 'internet', label: 'Reachable from the internet' },
  { value: 'unknown', label: 'Not known' },
  { value: 'isolated', label: 'Isolated' },
]

/** The risk score of an asset, with the findings of highest weight and the factors of the asset. */
export function AssetRiskPanel({ assetId }: { readonly assetId: string }) {
  const { data, error, refetch } = useQuery(q(AssetRiskDocument, { id: assetId }))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Panel title="Risk">
        <SkeletonBlock />
      </Panel>
    )
  return (
    <LoadedRisk
      assetId={assetId}
      risk={data.assetRisk}
      state={data.assetAssessments[0]?.state ?? 'assessed'}
    />
  )
}

interface LoadedRiskProps {
  readonly assetId: string
  readonly risk: AssetRiskData['assetRisk']
  readonly state: AssessmentState
}

function LoadedRisk({ assetId, risk, state }: LoadedRiskProps) {
  if (risk.openFindings === 0 && state !== 'assessed')
    return (
      <Panel title="Risk" aside={<Badge sign="○">Not assessed</Badge>}>
        <p>{unassessedText[state]}</p>
        <WayOut state={state} />
        <Weights assetId={assetId} risk={risk} />
      </Panel>
    )
  const { score, openFindings, contributions, isEndOfLife } = risk
  const [band, tone] = bandOf(score)
  return (
    <Panel title="Risk" aside={<Badge tone={tone}>{band}</Badge>}>
      <p className={styles['line']}>
        <span className={styles['score']}>{decimal(score, 1)}</span>
        <span>
          of 100, from{' '}
          {openFindings === 0 ? (
            'no open finding'
          ) : (
            <Link to="/vulnerabilities" search={{ where: compareTerm('asset.id', [assetId]) }}>
              {many(openFindings, 'open finding')}
            </Link>
          )}
          {isEndOfLife && '; its system gets no more fixes'}
        </span>
      </p>
      {contributions.length > 0 && <Contributions contributions={contributions} />}
      {contributions.length > 0 && <RiskSum risk={risk} />}
      <Weights assetId={assetId} risk={risk} />
    </Panel>
  )
}

/** The screen where it is mended, for who may see it. */
function WayOut({ state }: Pick<LoadedRiskProps, 'state'>) {
  const may = usePermission()
  if (state === 'no_software')
    return (
      may('credentials:read') && (
        <p>
          <Link to="/credentials">Credentials</Link>
        </p>
      )
    )
  if (state === 'pending' || !may('feeds:read')) return null
  return (
    <p>
      <Link to="/feeds">Feeds</Link>
    </p>
  )
}

function Contributions({ contributions }: Pick<LoadedRiskProps['risk'], 'contributions'>) {
  return (
    <ol className={styles['list']}>
      {contributions.map(
        ({ findingId, cveId, cvssScore, isExploited, likelihood, certainty, software, weight }) => (
          <li key={findingId} className={styles['one']}>
            <span className={styles['name']}>
              <Link to="/vulnerabilities/$cveId" params={{ cveId }}>
                {cveId}
              </Link>{' '}
              <span className="quiet">
                {decimal(cvssScore, 1)}
                {isExploited && ', exploited'}
              </span>
            </span>
            <span className={styles['track']} title={`Weighs ${decimal(weight, 2)} of 1`}>
              <span className={styles['bar']} style={{ width: `${weight * 100}%` }} />
            </span>
            <span className={styles['software']}>
              {software}
              {typeof likelihood === 'number' && typeof certainty === 'number' && (
                <span className="quiet">
                  {' '}
                  · {weightSum({ cvssScore, isExploited, likelihood, certainty, weight })}
                </span>
              )}
            </span>
          </li>
        ),
      )}
    </ol>
  )
}

function Weights({ assetId, risk: { criticality, exposure } }: Omit<LoadedRiskProps, 'state'>) {
  const may = usePermission()
  const set = useChange(SetAssetWeightDocument, {
    done: ({ setAssetWeight }) => `Risk score now ${decimal(setAssetWeight.score, 1)}`,
    undo: () => send(SetAssetWeightDocument, { assetId, criticality, exposure }),
  })
  const change = (to: { criticality?: Criticality; exposure?: Exposure }): void =>
    set.mutate({ assetId, criticality, exposure, ...to })
  const isFixed = !may('vulnerabilities:write') || set.isPending
  return (
    <div className={styles['weights']}>
      <Select
        label="Criticality"
        allowDeselect={false}
        disabled={isFixed}
        data={CRITICALITIES}
        value={criticality}
        onChange={(value) => change({ criticality: value as Criticality })}
      />
      <Select
        label="Exposure"
        allowDeselect={false}
        disabled={isFixed}
        data={EXPOSURES}
        value={exposure}
        onChange={(value) => change({ exposure: value as Exposure })}
      />
    </div>
  )
}
