import {
  listFrameworks,
  reportControls,
  reportEvidence,
  reportFailures,
  reportStatements,
} from '#features/compliance/compliance.ts'
import { complianceFigures } from './figures/compliance-figures.ts'
import { columns, type Collecting, type ReportKind, type Rows, type Section } from './kind.ts'

const OF_ALL =
  'Controls are judged over all assets of the whole organisation, and so are their evidence and the statements of ' +
  'applicability: the choice of assets limits the list of what fails alone.'

/** The status of the controls of each framework that the organisation has adopted. */
export const complianceReport: ReportKind = {
  type: 'compliance_report',
  permissions: ['compliance:read'],
  isOfPeriod: true,
  leads: 'actions',
  figures: complianceFigures,
  async notes({ ctx, assetIds }) {
    const adopted = (await listFrameworks(ctx)).filter(({ adoptedAt }) => adoptedAt !== null)
    if (adopted.length === 0) return ['No framework is adopted, so no control was judged.']
    const frameworks = adopted.map(({ title, version, coverage, licence }) => {
      const share = Math.round(coverage * 100)
      return `${title} ${version}: ${share} % of its controls have a status; the others need an attestation. ${licence}`
    })
    return assetIds === undefined ? frameworks : [...frameworks, OF_ALL]
  },
  sections(collecting) {
    // read once, for two sections
    let found: Promise<readonly FailingCheck[]> | undefined
    const failing: Failing = () => (found ??= reportFailures(collecting.ctx, collecting.assetIds))
    return [
      controlSection(collecting),
      actionSection(collecting, failing),
      failureSection(collecting, failing),
      evidenceSection(collecting),
      statementSection(collecting),
    ]
  },
}

type FailingCheck = Awaited<ReturnType<typeof reportFailures>>[number]
type Failing = () => Promise<readonly FailingCheck[]>

const controlSection = (collecting: Collecting): Section => ({
  name: 'controls',
  title: 'Controls',
  isMain: true,
  columns: columns({
    framework: ['text', 'Framework'],
    control: ['text', 'Control'],
    title: ['text', 'Title'],
    status: ['code', 'Status'],
    previous: ['code', 'Status before'],
    since: ['instant', 'Since'],
    in_scope: ['integer', 'In scope'],
    ok: ['integer', 'Passed'],
    failed: ['integer', 'Failed'],
    unknown: ['integer', 'Unknown'],
    excepted: ['integer', 'Excepted'],
    coverage: ['decimal', 'Coverage'],
    exceptions_end: ['date', 'Exceptions end'],
    attested_until: ['date', 'Attested until'],
    owner: ['text', 'Owner'],
  }),
  note:
    'What fails stands first. Counts are of all checks of a control together: an asset counts once for each.' +
    (collecting.assetIds === undefined ? '' : ' Of the whole organisation.'),
  empty: 'No framework is adopted.',
  rows: controls(collecting),
})

/** What fails as a list of what to do, the most important first. */
const actionSection = (collecting: Collecting, failing: Failing): Section => ({
  name: 'actions',
  permission: 'assets:read',
  title: 'What to do first',
  columns: columns({
    severity: ['text', 'Severity'],
    check: ['text', 'What should hold'],
    failed: ['integer', 'Fails on'],
    in_scope: ['integer', 'In scope'],
    excepted: ['integer', 'Excepted'],
    next: ['text', 'What to do'],
    framework: ['text', 'Framework'],
    controls: ['text', 'Controls'],
  }),
  note:
    'Checks that fail, the most severe first.' +
    (collecting.assetIds === undefined ? '' : ' Of the assets that were chosen.'),
  empty: 'No check fails.',
  rows: actions(collecting, failing),
})

const NOT_PRINTED = new Set(['asset', 'next'])

const failureSection = (collecting: Collecting, failing: Failing): Section => ({
  name: 'failures',
  permission: 'assets:read',
  title: 'What fails',
  columns: columns({
    framework: ['text', 'Framework'],
    controls: ['text', 'Controls'],
    check: ['text', 'Check'],
    severity: ['text', 'Severity'],
    failed: ['integer', 'Failed'],
    excepted: ['integer', 'Excepted'],
    asset: ['text', 'Asset id'],
    name: ['text', 'Asset'],
    since: ['instant', 'Fails since'],
    is_excepted: ['yesno', 'Under an exception'],
    next: ['text', 'What to do'],
  }).map((it) => (NOT_PRINTED.has(it.name) ? { ...it, isNotPrinted: true as const } : it)),
  note:
    'At most 500 assets of each check; the column Failed counts all of them' +
    (collecting.assetIds === undefined ? '.' : ' that were chosen.'),
  empty: 'No check fails.',
  rows: failures(failing),
})

const evidenceSection = (collecting: Collecting): Section => ({
  name: 'evidence',
  title: 'Evidence',
  columns: columns({
    framework: ['text', 'Framework'],
    control: ['text', 'Control'],
    effective_since: ['instant', 'Effective since'],
    recorded_at: ['instant', 'Recorded at'],
    digest: ['text', 'SHA-256'],
    evidence: ['text', 'Evidence id'],
  }),
  note: 'Of the whole organisation: of each control the evidence recorded last. “rollcall verify” computes the digest of its file again.',
  empty: 'No evidence is recorded.',
  rows: evidence(collecting),
})

const statementSection = (collecting: Collecting): Section => ({
  name: 'statements',
  title: 'Statements of applicability',
  columns: columns({
    framework: ['text', 'Framework'],
    version: ['integer', 'Version'],
    approved_at: ['instant', 'Approved at'],
    approved_by: ['text', 'Approved by'],
    role: ['text', 'Role'],
    digest: ['text', 'SHA-256'],
  }),
  empty: 'No statement of applicability is approved.',
  rows: approvedStatements(collecting),
})

async function* evidence({ ctx, period }: Collecting): Rows {
  const rows = await reportEvidence(ctx, period?.until)
  yield rows.map((it) => ({
    framework: it.framework,
    control: it.controlId,
    effective_since: it.effectiveOn,
    recorded_at: it.recordedAt,
    digest: it.digest,
    evidence: it.id,
  }))
}

async function* approvedStatements({ ctx }: Collecting): Rows {
  yield (await reportStatements(ctx)).map((it) => ({
    framework: it.framework,
    version: it.version,
    approved_at: it.approvedAt,
    approved_by: it.approvedByName,
    role: it.approvedRole,
    digest: it.digest,
  }))
}

async function* controls({ ctx, period }: Collecting): Rows {
  const rows = await reportControls(ctx, period?.from)
  yield worstFirst(rows).map(
    ({ control, status, previous, since, counts, exceptionsEnd, attestedUntil, owner }) => ({
      framework: control.framework,
      control: control.id,
      title: control.title,
      status,
      previous,
      since,
      in_scope: counts?.inScope,
      ok: counts?.ok,
      failed: counts?.failed,
      unknown: counts?.unknown,
      excepted: counts?.excepted,
      coverage: counts && counts.inScope > 0 ? share(counts.inScope - counts.unknown, counts.inScope) : null,
      exceptions_end: exceptionsEnd,
      attested_until: attestedUntil,
      owner,
    }),
  )
}

type ControlRow = Awaited<ReturnType<typeof reportControls>>[number]

const ranks: Readonly<Record<ControlRow['status'], number>> = {
  fail: 0,
  warning: 1,
  pass: 2,
  not_applicable: 3,
  not_assessed: 4,
}

/** Of each framework what fails first; among equals in the order of the framework. */
const worstFirst = (rows: readonly ControlRow[]): ControlRow[] =>
  [...Map.groupBy(rows, ({ control }) => control.framework).values()].flatMap((controls) =>
    controls.toSorted((a, b) => ranks[a.status] - ranks[b.status]),
  )

/** Known among those in scope, as a decimal number from 0 to 1. */
const share = (known: number, inScope: number): string => (known / inScope).toFixed(4)

async function* actions({ assetIds }: Collecting, failing: Failing): Rows {
  yield (await failing()).map(({ framework, check, failed, excepted }) => ({
    severity: check.severity,
    check: check.title,
    failed,
    in_scope: assetIds === undefined ? check.inScope : null,
    excepted,
    next: check.next,
    framework,
    controls: check.controlIds.join(', '),
  }))
}

async function* failures(failing: Failing): Rows {
  for (const { framework, check, failed, excepted, assets } of await failing())
    yield assets.map(({ assetId, name, since, isExcepted }) => ({
      framework,
      controls: check.controlIds.join(', '),
      check: check.title,
      severity: check.severity,
      failed,
      excepted,
      asset: assetId,
      name,
      since,
      is_excepted: isExcepted,
      next: check.next,
    }))
}
