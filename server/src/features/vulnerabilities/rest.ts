import { Type, type Static } from 'typebox'
import type { Severity } from '#features/advisories/advisory.ts'
import { invalid, invalidFormat } from '#platform/errors.ts'
import { whereQuery } from '#platform/conditions/where-query.ts'
import {
  csvFormat,
  exportHeaderSentences,
  listOf,
  listReply,
  pageQuery,
  parsePage,
} from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { exportAsCsv } from './findings/csv-export.ts'
import type { Finding } from './findings/finding.ts'
import { isSeverity, severities } from './severity.ts'
import { getFinding, listFindings, type FindingFilter } from './vulnerabilities.ts'

const FindingJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    cveId: Type.String({ description: 'CVE identifier' }),
    severity: Type.Enum([...severities], { description: 'the effective one, overrides included' }),
    cvssScore: Type.Number({
      description:
        '0 to 10, the effective one; the middle of the severity’s band where nobody published a score',
    }),
    description: Type.String(),
    assetId: Type.String({ format: 'uuid' }),
    affectedAssets: Type.Integer({ description: 'assets on which the CVE is open' }),
  },
  { $id: 'Vulnerability' },
)

const toJson = (finding: Finding): Static<typeof FindingJson> => ({
  id: finding.id,
  cveId: finding.cveId,
  severity: finding.severity,
  cvssScore: finding.cvssScore,
  description: finding.description,
  assetId: finding.assetId,
  affectedAssets: finding.affectedAssets,
})

const optional = (description: string, documentedAs: object) =>
  Type.Optional(Type.String({ description, documentedAs }))

/** An empty parameter means no filter. */
const numberOrEmpty = { type: undefined, anyOf: [{ type: 'number' }, { type: 'string', maxLength: 0 }] }

const filterQuery = {
  severity: optional('the effective severity, overrides included; empty: any', { enum: [...severities, ''] }),
  cvss_min: optional('a number, inclusive', numberOrEmpty),
  cvss_max: optional('a number, inclusive', numberOrEmpty),
  fixed: Type.Optional(
    Type.Unknown({ description: 'true lists resolved findings; anything else open ones' }),
  ),
  where: whereQuery('finding', 'severity = critical and asset.os:windows'),
}

interface FilterQuery {
  readonly severity?: string
  readonly cvss_min?: string
  readonly cvss_max?: string
  readonly fixed?: unknown
  readonly where?: string
}

/** An empty parameter means no filter. */
const parseFilter = ({
  severity,
  cvss_min: min,
  cvss_max: max,
  fixed,
  where,
}: FilterQuery): FindingFilter => ({
  severity: severity ? parseSeverity(severity) : undefined,
  cvssMin: min ? parseNumber('cvss_min', min) : undefined,
  cvssMax: max ? parseNumber('cvss_max', max) : undefined,
  isFixed: fixed === undefined ? undefined : fixed === 'true',
  where: where || undefined,
})

function parseSeverity(text: string): Severity {
  if (!isSeverity(text)) throw invalid('severity', `must be one of ${severities.join(', ')}`)
  return text
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** A decimal number; other notations that JavaScript accepts (`0x7`, `Infinity`, blanks) are refused. */
function parseNumber(field: string, text: string): number {
  const number = NUMBER.test(text) ? Number(text) : NaN
  if (!Number.isFinite(number)) throw invalid(field, 'must be a number')
  return number
}

export const rest: readonly Route[] = [
  route(
    'GET',
    '/vulnerabilities',
    {
      summary: 'List vulnerability findings, highest CVSS first.',
      query: Type.Object({ ...pageQuery, ...filterQuery }),
      reply: listOf(FindingJson),
    },
    async (ctx, { query }) => {
      const page = parsePage(query)
      return listReply(page, await listFindings(ctx, page, parseFilter(query)), toJson)
    },
  ),
  route(
    'GET',
    '/vulnerabilities/export',
    {
      summary: 'Vulnerability findings as CSV, with the filters of the list.',
      query: Type.Object({ format: csvFormat, ...filterQuery }),
      replyHeaders: exportHeaderSentences,
      reply: 'text/csv',
    },
    async (ctx, { query }) => {
      if (query.format !== 'csv') throw invalidFormat()
      return exportAsCsv(ctx, parseFilter(query))
    },
  ),
  route(
    'GET',
    '/vulnerabilities/:id',
    { summary: 'One vulnerability finding.', reply: FindingJson },
    async (ctx, { params }) => ({ json: toJson(await getFinding(ctx, params['id'] ?? '')) }),
  ),
]
