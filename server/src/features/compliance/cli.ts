import type { Command } from '#platform/cli/command.ts'
import {
  adoptFramework,
  dropFramework,
  evaluateNow,
  explainControl,
  listChecks,
  listControls,
  listFrameworks,
  type ControlDetail,
  type ControlSummary,
  type FrameworkSummary,
  type JudgedCheck,
} from './compliance.ts'

const CHECKS_SHOWN = 5

export const commands: readonly Command[] = [
  {
    path: 'compliance frameworks',
    tenant: true,
    help: 'the frameworks that come with the product, and which are adopted',
    async run(ctx) {
      const frameworks = await listFrameworks(ctx)
      return { json: frameworks, text: frameworks.map(frameworkLine).join('\n') }
    },
  },
  {
    path: 'compliance adopt',
    args: ['framework'],
    tenant: true,
    help: 'judges the controls of a framework from now on (names: compliance frameworks)',
    async run(ctx, { args }) {
      const { framework = '' } = args
      await adoptFramework(ctx, framework)
      await evaluateNow(ctx)
      return summary(await listFrameworks(ctx), framework, await listChecks(ctx, framework))
    },
  },
  {
    path: 'compliance drop',
    args: ['framework'],
    tenant: true,
    help: 'judges the controls of a framework no longer; their history stays',
    async run(ctx, { args }) {
      const { framework = '' } = args
      await dropFramework(ctx, framework)
      return { json: { framework }, text: `${framework} is not adopted any more.` }
    },
  },
  {
    path: 'compliance evaluate',
    tenant: true,
    help: 'judges all checks over all assets now, which also happens every hour',
    async run(ctx) {
      await evaluateNow(ctx)
      const frameworks = (await listFrameworks(ctx)).filter(({ adoptedAt }) => adoptedAt !== null)
      return { json: frameworks, text: frameworks.map(frameworkLine).join('\n') }
    },
  },
  {
    path: 'compliance status',
    args: ['framework'],
    tenant: true,
    help: 'the controls of a framework that have a status, and what to do first',
    async run(ctx, { args }) {
      const { framework = '' } = args
      const controls = await listControls(ctx, framework, {
        statuses: ['fail', 'warning', 'pass', 'not_applicable'],
      })
      const first = summary(await listFrameworks(ctx), framework, await listChecks(ctx, framework))
      return { json: controls, text: [first.text, '', ...controls.map(controlLine)].join('\n') }
    },
  },
  {
    path: 'compliance explain',
    args: ['framework', 'control'],
    tenant: true,
    help: 'why a control has its status: checks, counts, history',
    async run(ctx, { args }) {
      const detail = await explainControl(ctx, args['framework'] ?? '', args['control'] ?? '')
      return { json: detail, text: explained(detail) }
    },
  },
]

function frameworkLine({
  slug,
  title,
  version,
  controls,
  judgeable,
  adoptedAt,
  ...it
}: FrameworkSummary): string {
  const about = `${slug.padEnd(18)} ${title} ${version}: ${controls} controls, ${judgeable} judged by checks`
  return adoptedAt === null ? `${about}; not adopted` : `${about}; ${figures(it)}`
}

function figures({
  statuses,
  score,
  coverage,
}: Pick<FrameworkSummary, 'statuses' | 'score' | 'coverage'>): string {
  const counts = `${statuses.fail} fail, ${statuses.warning} warn, ${statuses.pass} pass`
  const share = score === null ? 'no score yet' : `score ${percent(score)}`
  return `${counts}, ${share} at a coverage of ${percent(coverage)}`
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

function summary(all: readonly FrameworkSummary[], slug: string, checks: readonly JudgedCheck[]) {
  const framework = all.find((it) => it.slug === slug)
  const failing = checks.filter(({ status }) => status === 'fail').slice(0, CHECKS_SHOWN)
  const text = [
    framework ? frameworkLine(framework) : '',
    ...(failing.length > 0 ? ['', 'First:'] : []),
    ...failing.flatMap(({ severity, sentence, next }) => [
      `  ${severity.padEnd(8)} ${sentence}`,
      `           ${next}`,
    ]),
  ].join('\n')
  return { json: { framework, first: failing }, text }
}

const controlLine = ({ id, status, title, why }: ControlSummary): string =>
  [
    `${id.padEnd(10)} ${(status ?? '').padEnd(14)} ${title}`,
    ...why.map((it) => `${' '.repeat(26)}${it}`),
  ].join('\n')

function explained({
  id,
  title,
  text,
  status,
  since,
  judgedBy,
  attestation,
  history,
  why,
}: ControlDetail): string {
  return [
    `${id} ${title}`,
    ...(text === null ? [] : [text, '']),
    `${status ?? 'a heading'}${since === null ? '' : ` since ${since}`}`,
    ...why.map((it) => `  ${it}`),
    ...(judgedBy.length > 0 ? ['', 'Checks:'] : []),
    ...judgedBy.flatMap(({ id: check, status: found, sentence, condition, scope, fault, next }) => [
      `  ${(found ?? 'not judged').padEnd(10)} ${sentence} (${check})`,
      `    ${scope === '' ? 'all assets' : `where ${scope}`}: ${condition}`,
      ...(fault === null ? [] : [`    cannot be judged: ${fault}`]),
      ...(found === 'fail' ? [`    ${next}`] : []),
    ]),
    ...(attestation ? ['', `Attested by ${attestation.attestedByName} until ${attestation.validUntil}`] : []),
    ...(history.length > 0 ? ['', 'History:'] : []),
    ...history.map(({ changedAt, from, to }) => `  ${changedAt} ${from} -> ${to}`),
  ].join('\n')
}
