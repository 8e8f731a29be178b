import type { BulkSelection } from './use-bulk-change.ts'

/** As the server has it. */
export const LABELS_MAX = 1_200
/** Ids stand in the address, whose length servers and proxies limit. */
const IDS_MAX = 150
/** Characters of a condition. */
const WHERE_MAX = 4_096

/** Path in the organisation of a PDF with labels of these assets; undefined for more than can be asked for at once. */
export function labelsPath(n: number, { assetIds, where }: BulkSelection): string | undefined {
  if (n > LABELS_MAX) return undefined
  if (assetIds) return assetIds.length > IDS_MAX ? undefined : labelsAt({ ids: assetIds.join(',') })
  return where === undefined || where === null || where.length > WHERE_MAX ? undefined : labelsAt({ where })
}

const labelsAt = (query: Record<string, string>): string =>
  `/files/labels.pdf?${new URLSearchParams(query).toString()}`
