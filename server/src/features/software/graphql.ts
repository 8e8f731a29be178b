import {
  given,
  listArgs,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Field,
  type FieldMaker,
  type Schema,
} from '#platform/graphql/schema.ts'
import { listHolders, listSoftware, softwareHistory, softwareOfAsset } from './software.ts'
import { addLists } from './lists/graphql.ts'
import type { Holder, InstalledOn, Software, SoftwareChange } from './listing/software-lists.ts'

type Counted = Software & { readonly assets: number }

export function graphql(schema: Schema): void {
  addList(schema)
  addHolders(schema)
  addOfAsset(schema)
  addHistory(schema)
  addLists(schema)
}

function addList(schema: Schema): void {
  const software = schema.objectRef<Counted>('Software').implement({
    description: 'One distinct piece of software. An empty text is not known.',
    fields: (t) => ({
      ...softwareFields(t as never),
      assets: t.exposeInt('assets', { description: 'How many assets have it.' }),
    }),
  })
  const filter = schema.inputType('SoftwareFilter', {
    fields: (t) => ({
      search: t.string({ description: 'Anywhere in name, vendor or source package, whatever its case.' }),
      origin: t.string({ description: 'Package manager or registry: `dpkg`, `rpm`, `windows`.' }),
      vendor: t.string(),
    }),
  })
  schema.queryField('software', (t) =>
    t.field({
      type: pageType(schema, 'SoftwarePage', software),
      description: 'All installed software, by name unless another order is asked for.',
      args: { filter: t.arg({ type: filter }), ...listArgs(schema) },
      complexity: perItem,
      resolve: (_, { filter: wanted, where, sort, ...page }, ctx) =>
        listSoftware(ctx, pageFrom(page), given({ ...wanted, where, sort })),
    }),
  )
}

function addHolders(schema: Schema): void {
  const holder = schema.objectRef<Holder>('SoftwareHolder').implement({
    description: 'An asset that has it.',
    fields: (t) => ({
      id: t.exposeID('assetId', { description: 'Of the asset.' }),
      name: t.exposeString('name'),
      assetType: t.exposeString('assetType'),
      os: t.exposeString('os'),
      lastSeen: t.expose('lastSeen', { type: 'DateTime' }),
    }),
  })
  schema.queryField('softwareHolders', (t) =>
    t.field({
      type: pageType(schema, 'SoftwareHolderPage', holder),
      description: 'The assets that have it, by name.',
      args: {
        id: t.arg.id({ required: true, description: 'Of a `Software`, or of an `EndOfLife`.' }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { id, ...page }, ctx) => listHolders(ctx, pageFrom(page), id),
    }),
  )
}

function addOfAsset(schema: Schema): void {
  const installed = schema.objectRef<InstalledOn>('InstalledSoftware').implement({
    description: 'A piece of software on one asset.',
    fields: (t) => ({
      ...softwareFields(t as never),
      users: t.field({
        type: ['String'],
        description: 'User accounts it is installed for; empty when installed for all.',
        resolve: ({ details }) => [...new Set(details.flatMap(({ users = [] }) => users))].sort(),
      }),
      installedAt: t.field({
        type: 'DateTime',
        nullable: true,
        resolve: ({ details }) => details.flatMap(({ installedAt = [] }) => installedAt).sort()[0] ?? null,
      }),
      paths: t.field({
        type: ['String'],
        description: 'Where its files lie, a few of them; empty where no source tells.',
        resolve: ({ details }) => [...new Set(details.flatMap(({ paths = [] }) => paths))].sort(),
      }),
      lastUsedOn: t.string({
        nullable: true,
        description: 'The day on which it was used last, where a source tells it.',
        resolve: ({ details }) =>
          details
            .flatMap(({ lastUsedOn = [] }) => lastUsedOn)
            .sort()
            .at(-1) ?? null,
      }),
    }),
  })
  schema.queryField('assetSoftware', (t) =>
    t.field({
      type: pageType(schema, 'InstalledSoftwarePage', installed),
      description: 'Software of one asset, by name.',
      args: { assetId: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { assetId, ...page }, ctx) => softwareOfAsset(ctx, assetId, pageFrom(page)),
    }),
  )
}

function addHistory(schema: Schema): void {
  const change = schema.objectRef<SoftwareChange>('SoftwareChange').implement({
    description: 'An installation, a removal or a change of version.',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => String(id) }),
      kind: t.exposeString('kind', { description: '`installed`, `removed` or `changed`.' }),
      at: t.expose('at', { type: 'DateTime' }),
      origin: t.exposeString('origin'),
      name: t.exposeString('name'),
      arch: t.exposeString('arch'),
      version: t.exposeString('version', { description: 'Empty after a removal.' }),
      formerVersion: t.exposeString('formerVersion', { description: 'Empty before an installation.' }),
    }),
  })
  schema.queryField('assetSoftwareChanges', (t) =>
    t.field({
      type: pageType(schema, 'SoftwareChangePage', change),
      description: 'Installations, removals and updates on one asset since its first report, newest first.',
      args: { assetId: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { assetId, ...page }, ctx) => softwareHistory(ctx, assetId, pageFrom(page)),
    }),
  )
}

/** An empty text is not known. */
const softwareFields = (t: FieldMaker<Software>): Record<keyof Software, Field> => ({
  id: t.id({ resolve: ({ id }) => String(id) }),
  origin: t.exposeString('origin'),
  ecosystem: t.exposeString('ecosystem', {
    description: 'OSV ecosystem: `Debian:12`, `PyPI`.',
  }),
  name: t.exposeString('name'),
  version: t.exposeString('version'),
  arch: t.exposeString('arch'),
  sourceName: t.exposeString('sourceName', {
    description:
      'The package it was built from; of a library on disk the package of the distribution that installed it.',
  }),
  sourceVersion: t.exposeString('sourceVersion'),
  vendor: t.exposeString('vendor'),
  purl: t.exposeString('purl'),
  cpe: t.exposeString('cpe'),
  vendorKey: t.exposeString('vendorKey', {
    description: 'Vendor of the CPE name; `productKey` is its product.',
  }),
  productKey: t.exposeString('productKey'),
  firstSeen: t.expose('firstSeen', { type: 'DateTime' }),
  endsOn: t.exposeString('endsOn', {
    nullable: true,
    description: 'The day on which its maker stops supporting it; null: not known.',
  }),
})
