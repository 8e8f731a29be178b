import type { Ctx } from '#platform/context.ts'
import { csvRow } from '#platform/formats/csv.ts'
import type { Reply } from '#platform/http/route.ts'
import type { Finding } from './finding.ts'
import { exportFindings, type FindingFilter } from '../vulnerabilities.ts'

/** Findings as a CSV file. */

const FILENAME = 'vulnerabilities.csv'

const columns = [
  'id',
  'cveId',
  'severity',
  'cvssScore',
  'description',
  'assetId',
  'affectedAssets',
] as const satisfies readonly (keyof Finding)[]

/** At most 10,000 findings; a header says when there are more. */
export async function exportAsCsv(ctx: Ctx, filter: FindingFilter): Promise<Reply> {
  const { findings, truncated } = await exportFindings(ctx, filter)
  const rows = findings.map((finding) => csvRow(columns.map((column) => finding[column])))
  return {
    file: { mediaType: 'text/csv', content: csvRow(columns) + rows.join('') },
    headers: {
      'content-disposition': `attachment; filename="${FILENAME}"`,
      ...(truncated && { 'x-export-truncated': 'true' }),
    },
  }
}
