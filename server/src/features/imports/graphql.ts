import type { DifferentValue } from '#features/assets/assets.ts'
import type { SourceComparison } from '#features/sources/sources.ts'
import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import type { Rejection } from './formats/format.ts'
import { columnNamed } from './columns/header.ts'
import type { Import, PreviewColumn, SampleRow } from './import.ts'
import { cancelImport, checkImport, getImport, listImports, startImport } from './imports.ts'
import { importStatuses } from './running/import-status.ts'

export function graphql(schema: Schema): void {
  const type = addImport(schema)
  addComparison(schema, type)
  addCurrency(schema, type)
  const page = pageType(schema, 'ImportPage', type)
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.queryFields((t) => ({
    imports: t.field({
      type: page,
      description: 'Files that were brought to be imported, newest first.',
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, args, ctx) => listImports(ctx, pageFrom(args)),
    }),
    import: t.field({ type, args: id, resolve: (_, args, ctx) => getImport(ctx, args.id) }),
  }))
  schema.mutationFields((t) => ({
    checkImport: t.field({
      type,
      description:
        'Looks through the file once more, with other columns: a name for each, empty for what is left out.',
      args: {
        id: t.arg.id({ required: true }),
        columns: t.arg.stringList({ required: true }),
        currency: t.arg.string({
          description: 'What prices are in that come without a currency, such as EUR.',
        }),
      },
      resolve: (_, { id: wanted, columns, ...options }, ctx) =>
        checkImport(ctx, wanted, { columns: columns.map(columnNamed), ...given(options) }),
    }),
    startImport: t.field({
      type,
      description: 'Imports what was looked through; of a list of software, for the asset or host.',
      args: {
        id: t.arg.id({ required: true }),
        assetId: t.arg.id(),
        host: t.arg.string(),
        os: t.arg.string({ description: 'The system of a package list, such as debian:12.' }),
        currency: t.arg.string({
          description: 'What prices are in that come without a currency, such as EUR.',
        }),
      },
      resolve: (_, { id: wanted, ...options }, ctx) => startImport(ctx, wanted, given(options)),
    }),
    cancelImport: t.field({ type, args: id, resolve: (_, args, ctx) => cancelImport(ctx, args.id) }),
  }))
}

function addImport(schema: Schema): TypeOf<Import> {
  const status = schema.enumType('ImportStatus', { values: importStatuses })
  const { rejection, column, sample } = addParts(schema)
  return schema.objectRef<Import>('Import').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name', { description: 'Of the file.' }),
      status: t.expose('status', { type: status }),
      message: t.exposeString('message'),
      format: t.exposeString('format', { nullable: true }),
      bytes: t.exposeInt('bytes'),
      received: t.exposeInt('received', { description: 'Of the bytes, how many have arrived.' }),
      bytesRead: t.exposeInt('bytesRead', { description: 'Of the bytes, how many were read.' }),
      observed: t.exposeInt('observed', { description: 'Rows that were taken.' }),
      created: t.exposeInt('created'),
      updated: t.exposeInt('updated'),
      unchanged: t.exposeInt('unchanged'),
      rejectedTotal: t.exposeInt('rejectedTotal'),
      rejected: t.field({ type: [rejection], resolve: (it) => it.rejected, ...flat }),
      startedBy: t.string({ resolve: ({ startedBy }) => startedBy?.name ?? startedBy?.id ?? '' }),
      problem: t.string({
        nullable: true,
        description: 'Why nothing can be taken as it is.',
        resolve: ({ preview }) => preview?.problem?.message,
      }),
      rows: t.int({
        nullable: true,
        description: 'That would be taken; of a list of software, its entries.',
        resolve: ({ preview }) => preview?.rows,
      }),
      isDocument: t.boolean({
        description: 'It lists the software of one thing.',
        resolve: ({ preview }) => preview?.isDocument ?? false,
      }),
      subject: t.string({
        nullable: true,
        description: 'What a list of software says that it is of.',
        resolve: ({ preview }) => preview?.subject,
      }),
      columns: t.field({ type: [column], resolve: ({ preview }) => preview?.columns ?? [], ...flat }),
      sample: t.field({ type: [sample], resolve: ({ preview }) => preview?.sample ?? [], ...flat }),
      wouldReject: t.field({ type: [rejection], resolve: ({ preview }) => preview?.rejected ?? [], ...flat }),
      wouldRejectTotal: t.int({ resolve: ({ preview }) => preview?.rejectedTotal ?? 0 }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    }),
  })
}

/** Lists that are part of the row. */
const flat = { complexity: { field: 1, multiplier: 1 } } as const

function addParts(schema: Schema) {
  const rejection = schema.objectRef<Rejection>('ImportRejection').implement({
    fields: (t) => ({
      line: t.exposeInt('line'),
      field: t.exposeString('field'),
      message: t.exposeString('message'),
    }),
  })
  const column = schema.objectRef<PreviewColumn>('ImportColumn').implement({
    fields: (t) => ({
      title: t.exposeString('title'),
      column: t.exposeString('column', { nullable: true, description: 'Null: left out.' }),
      examples: t.stringList({ resolve: (it) => [...it.examples] }),
    }),
  })
  const sample = schema.objectRef<SampleRow>('ImportSampleRow').implement({
    fields: (t) => ({
      line: t.exposeInt('line'),
      name: t.string({ resolve: (it) => it.name ?? '' }),
      type: t.string({ resolve: (it) => it.type ?? '' }),
      version: t.string({ resolve: (it) => it.version ?? '' }),
      identifiers: t.stringList({ resolve: (it) => [...it.identifiers] }),
    }),
  })
  return { rejection, column, sample }
}

function addCurrency(schema: Schema, type: TypeOf<Import>): void {
  schema.objectField(type, 'currency', (t) =>
    t.string({
      nullable: true,
      description: 'What prices are in that come without a currency, as it was said.',
      resolve: ({ options }) => options.currency,
    }),
  )
}

function addComparison(schema: Schema, type: TypeOf<Import>): void {
  const value = schema.objectRef<DifferentValue>('DifferentValue').implement({
    fields: (t) => ({
      attribute: t.exposeString('attribute'),
      there: t.exposeString('there', { description: 'What the export says.' }),
      here: t.exposeString('here', { description: 'What wins among all other sources.' }),
    }),
  })
  const asset = schema.objectRef<ComparedAsset>('ComparedAsset').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      values: t.field({
        type: [value],
        description: 'Those that differ.',
        resolve: ({ values }) => values ?? [],
        ...flat,
      }),
    }),
  })
  const comparison = schema.objectRef<SourceComparison>('SourceComparison').implement({
    description: 'Of each list the first 100 assets.',
    fields: (t) => ({
      shared: t.exposeInt('shared', { description: 'Assets that both sides know.' }),
      differentTotal: t.int({ resolve: ({ different }) => different.total }),
      different: t.field({ type: [asset], resolve: ({ different }) => different.assets, ...flat }),
      onlyThereTotal: t.int({ resolve: ({ onlyThere }) => onlyThere.total }),
      onlyThere: t.field({ type: [asset], resolve: ({ onlyThere }) => onlyThere.assets, ...flat }),
      onlyHereTotal: t.int({ resolve: ({ onlyHere }) => onlyHere.total }),
      onlyHere: t.field({ type: [asset], resolve: ({ onlyHere }) => onlyHere.assets, ...flat }),
    }),
  })
  schema.objectField(type, 'comparison', (t) =>
    t.field({
      type: comparison,
      nullable: true,
      description:
        'Of an export of another inventory that was imported: what each side missed. Null in lists of imports.',
      resolve: (it) => it.comparison,
    }),
  )
}

interface ComparedAsset {
  readonly id: string
  readonly name: string
  readonly values?: readonly DifferentValue[]
}
