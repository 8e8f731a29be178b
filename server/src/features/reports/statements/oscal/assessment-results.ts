import type {
  AffectedAsset,
  ControlSummary,
  Framework,
  JudgedCheck,
} from '#features/compliance/compliance.ts'
import { namedUuid } from '#platform/uuid.ts'
import { profileResource } from './oscal-catalog.ts'
import { markup, OSCAL_VERSION, oneLine, oscalId, properties } from './oscal-text.ts'

/** What the checks of a framework found, as OSCAL assessment results. */

export interface Assessment {
  readonly tenantId: string
  readonly organisation: string
  readonly framework: Framework
  /** RFC 3339. */
  readonly at: string
  /** Headings left out. */
  readonly controls: readonly ControlSummary[]
  readonly checks: readonly AssessedCheck[]
}

export interface AssessedCheck extends JudgedCheck {
  /** Some of the assets that are not in order, those that fail first. */
  readonly affected: readonly AffectedAsset[]
}

/** Counts of a check are those of its last round; older ones make its controls warn. */
const EXPIRES_AFTER_MS = 86_400_000

/**
 * Findings of the controls with a status: what passes is satisfied, what fails or warns is not, for the reason that its
 * remarks give. Controls that are not applicable are excluded from the selection; of those that nobody has assessed there
 * is no finding, and the remarks of the result name them.
 */
export function assessmentResultsOf(assessment: Assessment) {
  const { framework, organisation, at } = assessment
  const profile = profileResource(framework, at)
  return {
    'assessment-results': {
      uuid: idOf(assessment, 'results'),
      metadata: {
        title: oneLine(`${titleOf(assessment)}: evaluation of ${organisation}`),
        'last-modified': at,
        version: at,
        'oscal-version': OSCAL_VERSION,
      },
      'import-ap': {
        href: `#${profile.uuid}`,
        remarks: 'There is no plan apart: the checks judge all assets every hour and when these change.',
      },
      results: [resultOf(assessment)],
      'back-matter': { resources: [profile] },
    },
  }
}

const titleOf = ({ framework }: Assessment): string => `${framework.title} ${framework.version}`

function resultOf(assessment: Assessment) {
  const { organisation, at, controls, checks } = assessment
  const judged = checks.filter((it) => it.judgedAt !== null)
  const withStatus = (...wanted: readonly ControlSummary['status'][]) =>
    controls.filter(({ status }) => wanted.includes(status))
  const assessed = withStatus('pass', 'warning', 'fail')
  const excluded = withStatus('not_applicable')
  const unassessed = withStatus('not_assessed')
  return {
    uuid: idOf(assessment, 'result'),
    title: titleOf(assessment),
    description: markup(`What the checks find of the assets of ${organisation}.`),
    start: at,
    end: at,
    ...inventoryOf(assessment, judged),
    'reviewed-controls': {
      'control-selections': [
        {
          'include-all': {},
          ...(excluded.length > 0 && { 'exclude-controls': excluded.map((it) => selected(assessment, it)) }),
        },
      ],
    },
    ...(judged.length > 0 && { observations: judged.map((it) => observationOf(assessment, it)) }),
    ...(assessed.length > 0 && { findings: assessed.map((it) => findingOf(assessment, it, judged)) }),
    ...(unassessed.length > 0 && {
      remarks: markup(`Not assessed: ${unassessed.map(({ id }) => id).join(', ')}.`),
    }),
  }
}

const selected = ({ framework }: Assessment, { id }: ControlSummary) => ({
  'control-id': oscalId(framework.slug, id),
})

/** The assets that observations name. */
function inventoryOf(assessment: Assessment, checks: readonly AssessedCheck[]) {
  const names = new Map(
    checks.flatMap(({ affected }) => affected.map((it) => [it.assetId, it.name] as const)),
  )
  if (names.size === 0) return {}
  const items = [...names].map(([assetId, name]) => ({
    uuid: subjectOf(assessment, assetId),
    description: oneLine(name),
    props: properties({ 'asset-id': assetId }),
  }))
  return { 'local-definitions': { 'inventory-items': items } }
}

function observationOf(assessment: Assessment, check: AssessedCheck) {
  const { inScope, ok, failed, unknown, excepted, affected } = check
  const judgedAt = check.judgedAt ?? assessment.at
  const named = affected.length < failed + unknown ? `${affected.length} of them are named.` : ''
  return {
    uuid: observationId(assessment, check.id),
    title: oneLine(check.title),
    description: markup(check.sentence),
    props: properties({
      check: check.id,
      revision: String(check.revision),
      severity: check.severity,
      scope: check.scope,
      condition: check.condition,
      'in-scope': String(inScope),
      'in-order': String(ok),
      failed: String(failed),
      unknown: String(unknown),
      excepted: String(excepted),
    }),
    methods: ['TEST'],
    ...(affected.length > 0 && {
      subjects: affected.map(({ assetId, outcome, isExcepted }) => ({
        'subject-uuid': subjectOf(assessment, assetId),
        type: 'inventory-item',
        props: properties({ outcome: isExcepted ? 'failed-excepted' : outcome }),
      })),
    }),
    collected: judgedAt,
    expires: new Date(Date.parse(judgedAt) + EXPIRES_AFTER_MS).toISOString(),
    ...(named !== '' && { remarks: named }),
  }
}

function findingOf(assessment: Assessment, control: ControlSummary, judged: readonly AssessedCheck[]) {
  const { id, title, status, why } = control
  const observations = judged.filter(({ controlIds }) => controlIds.includes(id))
  return {
    uuid: idOf(assessment, `finding ${id}`),
    title: oneLine(`${id} ${title}`),
    description: markup(why.join('\n\n')) || 'Nothing is said of why.',
    props: properties({ status: status ?? '' }),
    target: {
      type: 'statement-id',
      'target-id': oscalId(assessment.framework.slug, id),
      status: {
        state: status === 'pass' ? 'satisfied' : 'not-satisfied',
        reason: status === 'warning' ? 'other' : (status ?? 'other'),
      },
    },
    ...(observations.length > 0 && {
      'related-observations': observations.map((it) => ({
        'observation-uuid': observationId(assessment, it.id),
      })),
    }),
  }
}

const observationId = (assessment: Assessment, checkId: string): string =>
  idOf(assessment, `observation ${checkId}`)

/** Of an asset, in every document of the tenant. */
const subjectOf = ({ tenantId }: Assessment, assetId: string): string =>
  namedUuid(tenantId, `asset ${assetId}`)

const idOf = ({ tenantId, framework, at }: Assessment, name: string): string =>
  namedUuid(tenantId, `${framework.slug} ${at} ${name}`)
