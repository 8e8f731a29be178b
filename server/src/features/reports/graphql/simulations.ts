import type { EnumOf, Schema, TypeOf } from '#platform/graphql/schema.ts'
import { reportFormats, type ReportFormat } from '../report.ts'
import { withLatest, type ReportWithLatest } from '../reports.ts'
import { changeKinds, changeText, type ChangeKind } from '../simulation/change.ts'
import type { LicenceChange } from '../simulation/licence-changes.ts'
import { measuresOf, type Measure } from '../simulation/measures.ts'
import type { Simulation } from '../simulation/simulate.ts'
import { createSimulationReport, runSimulation, type SimulationInput } from '../simulation/simulations.ts'
import type { AssetEffect } from '../simulation/simulation-totals.ts'

/** Assets that are answered; measures count all. */
const ASSETS_MAX = 200

interface Types {
  readonly report: TypeOf<ReportWithLatest>
  readonly format: EnumOf<ReportFormat>
}

/** What a decision would do. */
export function addSimulations(schema: Schema, { report, format }: Types): void {
  const kind = schema.enumType('SimulatedChangeKind', { values: changeKinds })
  const simulation = simulationType(schema)
  schema.queryFields((t) => ({
    simulation: t.field({
      type: simulation,
      description:
        'Risk, findings, failing controls, cost and licences before and after a change that nobody made. Neither assetIds nor where: all assets, at most 10,000.',
      args: {
        kind: t.arg({ type: kind, required: true }),
        name: t.arg.string({ description: 'Words of the name of the software or operating system.' }),
        version: t.arg.string({ description: 'Of an update; absent: to what fixes each finding.' }),
        by: t.arg.string({ description: 'Of a replacement: 2027-06-30.' }),
        assetIds: t.arg.idList(),
        where: t.arg.string({ description: 'A condition on assets.' }),
      },
      resolve: (_, args, ctx) => runSimulation(ctx, inputOf(args)),
    }),
  }))
  schema.mutationFields((t) => ({
    createSimulationReport: t.field({
      type: report,
      description: 'Saves a simulation as a report of type custom, and generates it in the background.',
      args: {
        reportName: t.arg.string({ required: true }),
        format: t.arg({ type: format, required: true, defaultValue: reportFormats[1] }),
        kind: t.arg({ type: kind, required: true }),
        name: t.arg.string(),
        version: t.arg.string(),
        by: t.arg.string(),
        assetIds: t.arg.idList(),
        where: t.arg.string(),
      },
      resolve: async (_, { reportName, format: wanted, ...args }, ctx) =>
        withLatest(ctx, await createSimulationReport(ctx, inputOf(args), { reportName, format: wanted })),
    }),
  }))
}

interface Args {
  readonly kind: ChangeKind
  readonly name?: string | null | undefined
  readonly version?: string | null | undefined
  readonly by?: string | null | undefined
  readonly assetIds?: readonly string[] | null | undefined
  readonly where?: string | null | undefined
}

const inputOf = ({ kind, name, version, by, assetIds, where }: Args): SimulationInput => ({
  kind,
  name: name ?? undefined,
  version: version ?? undefined,
  by: by ?? undefined,
  assetIds: assetIds ?? undefined,
  where: where ?? undefined,
})

function simulationType(schema: Schema): TypeOf<Simulation> {
  const measure = schema.objectRef<Measure>('SimulatedMeasure').implement({
    description: 'Decimals as text; null: not known.',
    fields: (t) => ({
      measure: t.exposeString('measure'),
      before: t.exposeString('before', { nullable: true }),
      after: t.exposeString('after', { nullable: true }),
      change: t.exposeString('change', { nullable: true }),
      unit: t.exposeString('unit', { description: 'ISO 4217 for money; empty for counts.' }),
      note: t.exposeString('note', { nullable: true }),
    }),
  })
  const control = schema.objectRef<Simulation['controls'][number]>('SimulatedControl').implement({
    fields: (t) => ({
      framework: t.exposeString('framework'),
      controlId: t.exposeString('controlId'),
      title: t.exposeString('title'),
      before: t.exposeString('before'),
      after: t.exposeString('after'),
    }),
  })
  const [asset, licence] = [assetType(schema), licenceType(schema)]
  const software = schema.objectRef<Simulation['software'][number]>('SimulatedSoftware').implement({
    fields: (t) => ({ name: t.exposeString('name'), assets: t.exposeInt('assets') }),
  })
  return schema.objectRef<Simulation>('Simulation').implement({
    fields: (t) => ({
      sentence: t.string({ resolve: ({ change }) => changeText(change) }),
      measures: t.field({ type: [measure], resolve: measuresOf }),
      changedAssets: t.int({ resolve: (it) => changed(it).length }),
      assets: t.field({
        type: [asset],
        description: `Those that would change, the highest risk first, at most ${ASSETS_MAX}.`,
        resolve: (it) =>
          changed(it)
            .toSorted((a, b) => (b.before.risk ?? -1) - (a.before.risk ?? -1) || (a.id < b.id ? -1 : 1))
            .slice(0, ASSETS_MAX),
      }),
      controls: t.field({
        type: [control],
        description: 'Those whose status would change.',
        resolve: ({ controls }) => controls.filter(({ before, after }) => before !== after),
      }),
      licences: t.field({ type: [licence], resolve: ({ licences }) => [...licences] }),
      software: t.field({ type: [software], resolve: ({ software: those }) => [...those] }),
    }),
  })
}

const changed = ({ effects }: Simulation): AssetEffect[] =>
  effects.filter(({ effect }) => effect !== 'unchanged')

const assetType = (schema: Schema): TypeOf<AssetEffect> =>
  schema.objectRef<AssetEffect>('SimulatedAsset').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      effect: t.exposeString('effect', { description: 'updated, removed, replaced or retired' }),
      riskBefore: t.float({ nullable: true, resolve: ({ before }) => before.risk }),
      riskAfter: t.float({
        nullable: true,
        description: 'Null: not known, as of a new device.',
        resolve: ({ after }) => after.risk,
      }),
      openBefore: t.int({ nullable: true, resolve: ({ before }) => before.open }),
      openAfter: t.int({ nullable: true, resolve: ({ after }) => after.open }),
    }),
  })

const licenceType = (schema: Schema): TypeOf<LicenceChange> =>
  schema.objectRef<LicenceChange>('SimulatedLicence').implement({
    fields: (t) => ({
      product: t.string({ resolve: ({ before }) => before.product }),
      metric: t.string({ resolve: ({ before }) => before.metric }),
      balanceBefore: t.int({ nullable: true, resolve: ({ before }) => before.balance }),
      balanceAfter: t.int({ nullable: true, resolve: ({ after }) => after.balance }),
    }),
  })
