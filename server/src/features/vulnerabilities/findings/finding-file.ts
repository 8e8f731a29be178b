import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { listFile } from '#platform/conditions/lists/list-file.ts'
import type { ListQuery } from '#platform/conditions/lists/subject-page.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { findingSorts, type FindingQuery } from './finding-query.ts'
import type { ListedFinding } from './finding.ts'
import { searchFindings } from './search.ts'

/** The findings of the app's list as a CSV file. */
export const findingFile = listFile({
  name: 'findings.csv',
  list: queryFindings,
  columns: [
    'id',
    'cveId',
    'severity',
    'cvssScore',
    'status',
    'software',
    'fixedVersion',
    'assetId',
    'assetName',
    'matchType',
    'confidence',
    'isUnconfirmed',
    'epss',
    'kevAddedOn',
    'affectedAssets',
    'foundAt',
    'changedAt',
    'description',
  ],
})

/** As lists of conditions are asked: open findings, unless the condition asks about the status. */
function queryFindings(ctx: Ctx, page: Page, { where, sort }: ListQuery): Promise<Listed<ListedFinding>> {
  return searchFindings(ctx, page, {
    where: where?.trim() || 'status = open',
    ...(sort !== undefined && orderOf(sort)),
  })
}

function orderOf(sort: string): Pick<FindingQuery, 'sort' | 'direction'> {
  const isDescending = sort.startsWith('-')
  const named = isDescending ? sort.slice(1) : sort
  const known = findingSorts.find((it) => it === named)
  if (!known) throw invalid('sort', `is none of ${findingSorts.join(', ')}`)
  return { sort: known, direction: isDescending ? 'desc' : 'asc' }
}
