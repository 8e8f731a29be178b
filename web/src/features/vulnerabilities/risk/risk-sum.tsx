import type { AssetRiskData } from '#api/generated/vulnerabilities.ts'
import { decimal } from '#lib/numbers.ts'
import styles from './asset-risk-panel.module.css'

type Risk = AssetRiskData['assetRisk']

/** The factors of the formula, as docs/vulnerabilities.md has them. */
const CRITICALITY = { critical: 1.3, high: 1.15, normal: 1, low: 0.8 } as const
const EXPOSURE = { internet: 1.25, unknown: 1, isolated: 0.8 } as const
const END_OF_LIFE = 1.1
const SHARE_OF_OTHERS = 0.1

interface Weighed {
  readonly cvssScore: number
  readonly isExploited: boolean
  readonly likelihood: number
  readonly certainty: number
  readonly weight: number
}

/** How the weight of a finding comes about: `0.98 × 0.41 × 1 = 0.40`. */
export function weightSum({ cvssScore, isExploited, likelihood, certainty, weight }: Weighed): string {
  const product = `${decimal(cvssScore / 10, 2)} × ${decimal(likelihood, 2)} × ${certainty}`
  const plain = (cvssScore / 10) * likelihood * certainty
  const isLifted = isExploited && weight > plain + 0.00005
  return isLifted
    ? `${decimal(0.8, 2)} + ${decimal(0.18, 2)} × (${product}) = ${decimal(weight, 2)}`
    : `${product} = ${decimal(weight, 2)}`
}

/** The sum of the score, with every number in it. */
export function RiskSum({ risk }: { readonly risk: Risk }) {
  const { model, score, contributions, criticality, exposure, isEndOfLife, isExploited, unlisted } = risk
  const [first, ...others] = contributions.map(({ weight }) => weight)
  if (model < 2 || first === undefined) return null
  const none = others.reduce((left, weight) => left * (1 - SHARE_OF_OTHERS * weight), 1) * unlisted
  const base = first + (1 - first) * (1 - none)
  const factors = [CRITICALITY[criticality], EXPOSURE[exposure], ...(isEndOfLife ? [END_OF_LIFE] : [])]
  const product = factors.reduce((all, factor) => all * factor, 100 * base)
  return (
    <details className={styles['sum']}>
      <summary>How it is worked out</summary>
      <p>
        Each finding weighs score ÷ 10 × likelihood × certainty of the match; what is known to be exploited
        weighs 0.80 at least.
      </p>
      <p>
        The heaviest counts whole, the next nineteen a tenth each: {decimal(first, 4)} + (1 −{' '}
        {decimal(first, 4)}) × (1 − {decimal(none, 4)}) = {decimal(base, 4)}.
      </p>
      <p>
        100 × {decimal(base, 4)} × {factors.join(' × ')} = {decimal(product, 1)} (criticality, exposure
        {isEndOfLife && ', system without fixes'}), 100 at most
        {isExploited && ', 80 at least because one is exploited'}: {decimal(score, 1)}.
      </p>
    </details>
  )
}
