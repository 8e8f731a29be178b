import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { reportFormats } from './report.ts'
import type { ChangeInput } from './simulation/change.ts'
import { measuresOf, type Measure } from './simulation/measures.ts'
import { createSimulationReport, runSimulation } from './simulation/simulations.ts'

const choice = {
  asset: { value: 'ID', many: true, help: 'only this asset; may be repeated' },
  where: { value: 'CONDITION', help: 'only assets of which it is true; all unless given' },
  report: { value: 'NAME', help: 'saves it as a report of this name, too' },
  format: { value: 'FORMAT', help: `of the report: one of ${reportFormats.join(', ')}; pdf unless given` },
} as const

/** What a decision would do, before anybody makes it. */
export const simulateCommands: readonly Command[] = [
  {
    path: 'simulate update',
    args: ['software...'],
    tenant: true,
    options: {
      version: { value: 'VERSION', help: 'to this one; to what fixes each finding unless given' },
      ...choice,
    },
    help: 'risk, findings, failing controls, cost and licences if the software were updated',
    run: (ctx, input) =>
      simulated(ctx, input, {
        kind: 'update_software',
        name: input.args['software'],
        version: text(input, 'version'),
      }),
  },
  {
    path: 'simulate replace',
    args: ['day'],
    tenant: true,
    options: choice,
    help: 'the same if the assets were replaced by the day, such as 2027-06-30',
    run: (ctx, input) => simulated(ctx, input, { kind: 'replace_assets', by: input.args['day'] }),
  },
  {
    path: 'simulate retire-product',
    args: ['software...'],
    tenant: true,
    options: choice,
    help: 'the same if the software were removed',
    run: (ctx, input) => simulated(ctx, input, { kind: 'retire_product', name: input.args['software'] }),
  },
  {
    path: 'simulate retire-system',
    args: ['system...'],
    tenant: true,
    options: choice,
    help: 'the same if the assets with the operating system were retired, such as Windows 10',
    run: (ctx, input) => simulated(ctx, input, { kind: 'retire_system', name: input.args['system'] }),
  },
]

async function simulated(ctx: Ctx, input: CommandInput, change: ChangeInput): Promise<CommandResult> {
  const [reportName, format] = [text(input, 'report'), text(input, 'format')]
  if (format !== undefined && reportName === undefined)
    throw new Refusal(400, 'invalid_request', 'format: is of the report that --report names', {
      field: 'format',
    })
  const wanted = { ...change, assetIds: text(input, 'asset')?.split('\n'), where: text(input, 'where') }
  const simulation = await runSimulation(ctx, wanted)
  const measures = measuresOf(simulation)
  const report =
    reportName === undefined
      ? undefined
      : await createSimulationReport(ctx, wanted, { reportName, format: format ?? 'pdf' })
  const changed = simulation.controls.filter(({ before, after }) => before !== after)
  return {
    json: {
      change: simulation.change,
      measures,
      controls: changed.map(({ framework, controlId, before, after }) => ({
        framework,
        control: controlId,
        before,
        after,
      })),
      software: simulation.software,
      report_id: report?.id ?? null,
    },
    text: [
      ...tableOf(measures),
      ...changed.map((it) => `${it.framework} ${it.controlId}: ${it.before} → ${it.after}`),
      ...(report ? [`Report ${report.id} is being generated.`] : []),
    ].join('\n'),
  }
}

function tableOf(measures: readonly Measure[]): string[] {
  const rows = [
    ['', 'before', 'after', 'change', ''],
    ...measures.map(({ measure, before, after, change, unit, note }) => [
      measure,
      before ?? 'unknown',
      after ?? 'unknown',
      change ?? '',
      [unit, note ?? ''].filter(Boolean).join('  '),
    ]),
  ]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

function text({ options }: CommandInput, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}
