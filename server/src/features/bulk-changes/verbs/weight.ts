import type { AssetWeights } from '#features/vulnerabilities/risk/risk-store.ts'
import { changeWeights, criticalities, exposures } from '#features/vulnerabilities/vulnerabilities.ts'
import { invalid } from '#platform/errors.ts'
import type { BulkValues } from '../bulk-change.ts'
import type { BulkVerb } from './verb.ts'

export const setWeight: BulkVerb = {
  name: 'set_weight',
  subject: 'asset',
  permission: 'vulnerabilities:write',
  check: (_, values) => Promise.resolve(weightIn(values)),
  apply: (ctx, values, assetIds) => changeWeights(ctx, assetIds, () => weightIn(values)),
  restore: (ctx, _, previous) =>
    changeWeights(ctx, [...previous.keys()], (id) => (previous.get(id) ?? {}) as Partial<AssetWeights>),
}

function weightIn({ criticality, exposure }: BulkValues): Partial<AssetWeights> {
  if (criticality === undefined && exposure === undefined)
    throw invalid('criticality', 'or exposure must be given')
  if (criticality !== undefined && !criticalities.includes(criticality))
    throw invalid('criticality', `is none of ${criticalities.join(', ')}`)
  if (exposure !== undefined && !exposures.includes(exposure))
    throw invalid('exposure', `is none of ${exposures.join(', ')}`)
  return { ...(criticality && { criticality }), ...(exposure && { exposure }) }
}
