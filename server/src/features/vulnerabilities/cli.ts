import { createReadStream } from 'node:fs'
import type { Command, CommandInput } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { searchFindings, getFindingDetail, type FindingDetail } from './findings/search.ts'
import { findingStatuses } from './findings/finding.ts'
import type { Derivation } from './matching/matchers/matcher.ts'
import { isSeverity, severities } from './severity.ts'
import { exportVex, importVex, type VexImport } from './vex/vex.ts'
import { tenantOfFinding } from './vulnerabilities.ts'

const LIMIT_DEFAULT = 50
const SHOWN_MAX = 1_000

export const commands: readonly Command[] = [
  {
    path: 'findings list',
    tenant: true,
    options: {
      severity: { value: 'SEVERITY', help: severities.join(', ') },
      status: { value: 'STATUS', help: `${findingStatuses.join(', ')}; open unless given` },
      cve: { value: 'ID', help: 'of this CVE' },
      search: { value: 'TEXT', help: 'in the CVE, the software or the name of the asset' },
      where: { value: 'CONDITION', help: 'for which this is true; see docs/conditions.md' },
      exploited: { flag: true, help: 'known to be exploited, by a KEV catalogue or SSVC' },
      limit: { value: 'N', help: `at most so many; ${LIMIT_DEFAULT} unless given` },
    },
    help: 'what is vulnerable, the highest score first',
    async run(ctx, input) {
      const { items, total } = await searchFindings(ctx, { limit: limitOf(input), offset: 0 }, queryOf(input))
      const lines = items.map(
        (it) =>
          `${it.cvssScore.toFixed(1).padStart(4)}  ${it.severity.padEnd(13)}  ${it.cveId.padEnd(16)}  ${it.assetName}  ` +
          `${it.software}${it.fixedVersion && ` (fixed in ${it.fixedVersion})`}  ${it.matchType}  ${it.id}`,
      )
      const more = total > items.length ? [`${total - items.length} more`] : []
      return { json: { total, findings: items }, text: [...lines, ...more].join('\n') || 'Nothing.' }
    },
  },
  {
    path: 'findings explain',
    args: ['id'],
    tenant: true,
    tenantOf: (system, { args }) => tenantOfFinding(system, args['id'] ?? ''),
    help: 'why there is a finding: which record, which version rule, which advisory',
    async run(ctx, { args }) {
      const finding = await getFindingDetail(ctx, args['id'] ?? '')
      return { json: finding, text: explained(finding) }
    },
  },
  {
    path: 'vex import',
    args: ['file'],
    tenant: true,
    help: 'imports an OpenVEX or CSAF document: closes findings that it calls not affected or fixed',
    async run(ctx, { args }) {
      const result = await importVex(ctx, contentOf(args['file'] ?? ''))
      return { json: result, text: imported(result) }
    },
  },
  {
    path: 'vex export',
    tenant: true,
    help: 'the overrides in force, as an OpenVEX document',
    async run(ctx) {
      const document = await exportVex(ctx)
      return { json: document, text: JSON.stringify(document, undefined, 2) }
    },
  },
]

function queryOf({ options }: CommandInput) {
  const { severity, status = 'open', cve, search, where, exploited } = options
  if (severity !== undefined && (severity === true || !isSeverity(severity)))
    throw invalid('severity', `is none of ${severities.join(', ')}`)
  const wanted = findingStatuses.find((it) => it === status)
  if (!wanted) throw invalid('status', `is none of ${findingStatuses.join(', ')}`)
  return {
    severity,
    status: wanted,
    cveId: textOf(cve),
    search: textOf(search),
    where: textOf(where),
    ...(exploited === true && { isExploited: true }),
  }
}

const textOf = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined

function limitOf({ options }: CommandInput): number {
  const limit = options['limit'] === undefined ? LIMIT_DEFAULT : Number(options['limit'])
  if (!Number.isInteger(limit) || limit < 1 || limit > SHOWN_MAX)
    throw invalid('limit', `must be a whole number from 1 to ${SHOWN_MAX}`)
  return limit
}

async function* contentOf(path: string): AsyncIterable<Buffer> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>
  } catch (error) {
    throw invalid('file', `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

const imported = ({ document, created, ended, unchanged, skipped }: VexImport): string =>
  `${document}: ${created} overrides came, ${ended} ended, ${unchanged} are as before; ${skipped} statements close nothing.`

function explained(finding: FindingDetail): string {
  const { attributions, history } = finding
  return [
    `${finding.cveId} on ${finding.assetName} (${finding.assetId})`,
    `${finding.status}, ${finding.severity} ${finding.cvssScore.toFixed(1)}, ${finding.matchType} ${finding.confidence}${finding.isUnconfirmed ? ', unconfirmed' : ''}`,
    finding.description,
    '',
    'Because:',
    ...attributions.flatMap((it) => [
      `  ${it.software}: ${it.feed} ${it.record}${it.endedAt === null ? '' : `, until ${it.endedAt}: ${it.endedBecause}`}`,
      ...reasonsOf(it.derivation as Derivation).map((line) => `      ${line}`),
      ...(it.isUnconfirmed ? [`      ${UNCONFIRMED}`] : []),
    ]),
    '',
    'So far:',
    ...history.map((it) => `  ${it.at}  ${it.status}  ${it.severity} ${it.cvssScore.toFixed(1)}  ${it.why}`),
  ].join('\n')
}

const UNCONFIRMED =
  'unconfirmed: not all packages of the distribution are known on this asset, and it may have mended this library'

const reasonsOf = (it: Derivation): string[] => [
  `${it.ecosystem} ${it.package}, affected: ${it.rule}`,
  `installed ${it.installedVersion}${it.fixedVersion && `, fixed in ${it.fixedVersion}`}${it.fixedBy ? ` by ${it.fixedBy}` : ''}, compared as ${it.algorithm}`,
  ...it.notes,
]
