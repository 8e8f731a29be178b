import type { Command, CommandInput, CommandOption } from '#platform/cli/command.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Ctx } from '#platform/context.ts'
import type { Contract, CountedEntitlement } from '../entitlements/entitlement.ts'
import {
  assignEntitlement,
  deleteContract,
  deleteEntitlement,
  listContracts,
  listEntitlements,
  saveContract,
  saveEntitlement,
  unassignEntitlement,
  usesOf,
} from '../entitlements/entitlements.ts'

const terms: Readonly<Record<string, CommandOption>> = {
  begins: { value: 'DATE', help: 'the first day' },
  ends: { value: 'DATE', help: 'the last day' },
  cost: { value: 'AMOUNT', help: 'what it costs, like 1299.00' },
  currency: { value: 'CODE', help: 'of the cost, like EUR' },
  notes: { value: 'TEXT', help: 'anything else' },
}
const id = {
  id: { value: 'ID', help: 'changes the one of this id; what is not given stays, an empty text clears' },
}

const contractCommands: readonly Command[] = [
  {
    path: 'contract list',
    tenant: true,
    help: 'contracts with suppliers',
    async run(ctx) {
      const all = await listContracts(ctx)
      return { json: all, text: all.map(contractLine).join('\n') || 'None.' }
    },
  },
  {
    path: 'contract save',
    args: ['name'],
    tenant: true,
    options: {
      ...id,
      supplier: { value: 'NAME', help: 'with whom' },
      number: { value: 'TEXT', help: 'the number of the contract' },
      ...terms,
    },
    help: 'adds a contract, or changes one',
    async run(ctx, { args, options }) {
      const { id: known, ...given } = textsIn(options)
      const before = known === undefined ? {} : one(await listContracts(ctx), known, 'contract')
      const contract = await saveContract(ctx, { ...before, ...given, name: args['name'] ?? '' })
      return { json: contract, text: `Saved ${contractLine(contract)}.` }
    },
  },
  {
    path: 'contract delete',
    args: ['id'],
    tenant: true,
    help: 'deletes a contract that no entitlement rests on',
    async run(ctx, { args }) {
      await deleteContract(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Deleted.' }
    },
  },
]

export const entitlementCommands: readonly Command[] = [
  ...contractCommands,
  {
    path: 'entitlement save',
    args: ['product'],
    tenant: true,
    options: {
      ...id,
      metric: { value: 'METRIC', help: 'device, user, core, site or concurrent; device unless given' },
      count: { value: 'N', help: 'how many uses; absent or empty: any number' },
      vendor: { value: 'NAME', help: 'who makes it' },
      'version-from': { value: 'TEXT', help: 'the first version' },
      'version-to': { value: 'TEXT', help: 'the last version' },
      contract: { value: 'ID', help: 'the contract that it rests on (ids: contract list)' },
      ...terms,
    },
    help: 'adds an entitlement, or changes one; its uses stay',
    run: runSave,
  },
  {
    path: 'entitlement delete',
    args: ['id'],
    tenant: true,
    help: 'deletes an entitlement with its uses',
    async run(ctx, { args }) {
      await deleteEntitlement(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Deleted.' }
    },
  },
  {
    path: 'entitlement assign',
    args: ['id'],
    tenant: true,
    options: {
      asset: { value: 'ID', many: true, help: 'to this asset' },
      person: { value: 'NAME', many: true, help: 'to this person' },
    },
    help: 'assigns uses to assets and persons',
    async run(ctx, { args, options }) {
      const entitlement = await assignEntitlement(ctx, {
        entitlementId: args['id'] ?? '',
        assetIds: linesOf(options['asset']),
        persons: linesOf(options['person']),
      })
      return { json: entitlement, text: usedText(entitlement) }
    },
  },
  {
    path: 'entitlement uses',
    args: ['id'],
    tenant: true,
    help: 'to which assets and persons uses are assigned',
    async run(ctx, { args }) {
      const uses = await usesOf(ctx, args['id'] ?? '')
      const lines = uses.map((it) => `${it.id}  ${it.assetName ?? it.person ?? ''}`)
      return { json: uses, text: lines.join('\n') || 'None.' }
    },
  },
  {
    path: 'entitlement unassign',
    args: ['id', 'uses...'],
    tenant: true,
    help: 'takes uses away (their ids: entitlement uses)',
    async run(ctx, { args }) {
      const useIds = (args['uses'] ?? '').split(/[\s,]+/).filter((it) => it !== '')
      const entitlement = await unassignEntitlement(ctx, { entitlementId: args['id'] ?? '', useIds })
      return { json: entitlement, text: usedText(entitlement) }
    },
  },
]

async function runSave(ctx: Ctx, { args, options }: CommandInput) {
  const { id: known, metric, count, contract, ...given } = textsIn(options)
  const { 'version-from': versionFrom, 'version-to': versionTo, ...others } = given
  const before = known === undefined ? undefined : one(await listEntitlements(ctx), known, 'entitlement')
  const entitlement = await saveEntitlement(ctx, {
    ...before,
    ...others,
    product: args['product'] ?? '',
    metric: (metric ?? before?.metric ?? 'device') as CountedEntitlement['metric'],
    ...(versionFrom !== undefined && { versionFrom }),
    ...(versionTo !== undefined && { versionTo }),
    ...(contract !== undefined && { contractId: contract || null }),
    ...(count !== undefined && { count: countIn(count) }),
  })
  return { json: entitlement, text: usedText(entitlement) }
}

function countIn(text: string): number | null {
  if (text === '') return null
  if (!/^\d{1,10}$/.test(text)) throw invalid('count', 'must be a whole number from 0')
  return Number(text)
}

function one<T extends { readonly id: string }>(all: readonly T[], wanted: string, what: string): T {
  const found = all.find((it) => it.id === wanted)
  if (!found) throw notFound(what)
  return found
}

const textsIn = (options: CommandInput['options']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

const linesOf = (option: string | true | undefined): string[] =>
  typeof option === 'string' ? option.split('\n').filter((text) => text.trim() !== '') : []

const contractLine = ({ id: it, name, supplier, ends }: Contract): string =>
  [it, name, supplier, ends && `until ${ends}`].filter(Boolean).join('  ')

const usedText = ({ id: it, product, used, count, metric }: CountedEntitlement): string =>
  `${it}  ${product}  ${used} of ${count ?? 'any number'} by ${metric}`
