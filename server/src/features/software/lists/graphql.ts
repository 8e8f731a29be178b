import type { Listed } from '#platform/http/paging.ts'
import { pageArgs, pageFrom, pageType, type EnumOf, type Schema } from '#platform/graphql/schema.ts'
import { addSoftwareEntry, listSoftwareEntries, removeSoftwareEntry } from './forbidden-and-allowed.ts'
import { softwareLists, type SoftwareList } from './list-entry.ts'
import type { CountedEntry } from './software-list-store.ts'

type EntryPage = Listed<CountedEntry>

/** What the tenant forbids and allows. */
export function addLists(schema: Schema): void {
  const list = schema.enumType('SoftwareListName', { values: softwareLists })
  const entry = schema.objectRef<CountedEntry>('SoftwareListEntry').implement({
    description: 'Software that is forbidden or allowed, by name, vendor or both; `*` stands for any text.',
    fields: (t) => ({
      list: t.field({ type: list, resolve: (it) => it.list }),
      name: t.exposeString('name', { description: 'Empty: any.' }),
      vendor: t.exposeString('vendor', { description: 'Empty: any.' }),
      reason: t.exposeString('reason'),
      software: t.exposeInt('software', {
        description: 'How many distinct pieces of installed software it means.',
      }),
    }),
  })
  schema.queryField('softwareListEntries', (t) =>
    t.field({
      type: pageType(schema, 'SoftwareListEntryPage', entry),
      description: 'Forbidden and allowed software, the forbidden first.',
      args: { list: t.arg({ type: list }), ...pageArgs(schema) },
      resolve: (_, { list: wanted, ...page }, ctx): Promise<EntryPage> =>
        listSoftwareEntries(ctx, pageFrom(page), wanted ?? undefined),
    }),
  )
  addChanges(schema, list)
}

function addChanges(schema: Schema, list: EnumOf<SoftwareList>): void {
  schema.mutationFields((t) => ({
    addSoftwareListEntry: t.field({
      type: 'Boolean',
      description: 'An entry with the same name and vendor gets the new reason.',
      args: {
        list: t.arg({ type: list, required: true }),
        name: t.arg.string({
          defaultValue: '',
          required: true,
          description: 'Name or vendor must be given.',
        }),
        vendor: t.arg.string({ defaultValue: '', required: true }),
        reason: t.arg.string({ defaultValue: '', required: true }),
      },
      resolve: async (_, entry, ctx) => {
        await addSoftwareEntry(ctx, entry)
        return true
      },
    }),
    removeSoftwareListEntry: t.field({
      type: 'Boolean',
      args: {
        list: t.arg({ type: list, required: true }),
        name: t.arg.string({ required: true }),
        vendor: t.arg.string({ required: true }),
      },
      resolve: async (_, entry, ctx) => {
        await removeSoftwareEntry(ctx, entry)
        return true
      },
    }),
  }))
}
