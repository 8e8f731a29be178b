import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { OverviewRiskDocument, type OverviewRiskData } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { isAnythingAssessed } from '#features/vulnerabilities/assessment.ts'
import { AssessmentNotice } from '#features/vulnerabilities/assessment-notice.tsx'
import { RiskScore } from '#features/vulnerabilities/risk/risk-score.tsx'
import { SeverityCounts } from '#features/vulnerabilities/severity-counts.tsx'
import { SeverityMark, Threat } from '#features/vulnerabilities/finding-badges.tsx'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { many } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import styles from './top-risks.module.css'

type Overview = OverviewRiskData['findingsOverview']

/** Rows of each list. */
const SHOWN = 5

/**
 * Open findings by severity, assets of highest risk, CVEs with most affected assets, and the number of assets not
 * assessed.
 */
export function TopRisks() {
  const { data } = useQuery(q(OverviewRiskDocument, {}))
  if (!data) return null
  const { counts, staleAssets, topAssets, topCves } = data.findingsOverview
  return (
    <>
      <SeverityCounts
        counts={counts}
        staleAssets={staleAssets}
        search={{}}
        isAssessed={isAnythingAssessed(data.assessment)}
      />
      <AssessmentNotice />
      {topAssets.length > 0 && (
        <div className={styles['columns']}>
          <TopAssets assets={topAssets} />
          <TopCves cves={topCves} />
        </div>
      )}
    </>
  )
}

function TopAssets({ assets }: { readonly assets: Overview['topAssets'] }) {
  return (
    <Panel
      title="Assets at most risk"
      aside={
        <Link to="/assets" search={{ sort: 'riskScore' }}>
          All
        </Link>
      }
    >
      <ol className={`${styles['list']} ${styles['assets']}`}>
        {assets.slice(0, SHOWN).map(({ assetId, name, riskScore, openFindings }) => (
          <li key={assetId} className={styles['line']}>
            <Link to="/assets/$assetId" params={{ assetId }} className={styles['name']}>
              {name}
            </Link>
            <Link
              to="/vulnerabilities"
              search={{ where: compareTerm('asset.id', [assetId]) }}
              className={styles['minor']}
            >
              {many(openFindings, 'open finding')}
            </Link>
            <RiskScore score={riskScore} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function TopCves({ cves }: { readonly cves: Overview['topCves'] }) {
  return (
    <Panel title="Vulnerabilities to begin with" aside={<Link to="/vulnerabilities">All</Link>}>
      <ol className={`${styles['list']} ${styles['cves']}`}>
        {cves.slice(0, SHOWN).map(({ cveId, severity, cvssScore, affectedAssets, epss, kevAddedOn }) => (
          <li key={cveId} className={styles['line']}>
            <Link to="/vulnerabilities/$cveId" params={{ cveId }} className={styles['name']}>
              {cveId}
            </Link>
            <span className={styles['minor']}>{many(affectedAssets, 'asset')}</span>
            <Threat kevAddedOn={kevAddedOn} epss={epss} />
            <SeverityMark severity={severity} score={cvssScore} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}
