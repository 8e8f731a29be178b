import { lockAssets } from '#features/assets/assets.ts'
import { difference, record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound, Refusal } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { canonical, wrongWith } from '../values/record-values.ts'
import {
  metrics,
  type Contract,
  type CountedEntitlement,
  type Entitlement,
  type EntitlementUse,
  type Terms,
} from './entitlement.ts'
import * as store from './entitlement-store.ts'

/** Contracts with suppliers, entitlements to use products, and to whom their uses are assigned. */

const TEXT_LENGTH_MAX = 200
const THINGS_MAX = 5_000
const USES_MAX = 1_000
const COUNT_MAX = 2_147_483_647

type Input<T extends { id: string }, Needed extends keyof T> = { readonly id?: string | undefined } & Pick<
  T,
  Needed
> & {
    readonly [K in Exclude<keyof T, Needed | 'id'>]?: T[K] | undefined
  }
export type ContractInput = Input<Contract, 'name'>
export type EntitlementInput = Input<Entitlement, 'product' | 'metric'>

export async function listContracts(ctx: Ctx): Promise<Contract[]> {
  permit(ctx, 'assets:read')
  return store.contracts(ctx)
}

/** A new one, or the one of `id` with these values and no others. */
export async function saveContract(ctx: Ctx, input: ContractInput): Promise<Contract> {
  permit(ctx, 'assets:write')
  const contract: Contract = {
    id: input.id ?? newUuid(ctx.now()),
    name: checkedName('name', input.name, TEXT_LENGTH_MAX),
    supplier: checkedText('supplier', input.supplier),
    number: checkedText('number', input.number),
    ...checkedTerms(input),
  }
  return atomically(ctx, async (inner) => {
    const before = input.id === undefined ? undefined : await lockedContract(inner, input.id)
    if (!before && (await store.contracts(inner)).length >= THINGS_MAX)
      throw conflict(`there are ${THINGS_MAX} contracts already`)
    if (!(await store.saveContract(inner, contract)))
      throw conflict(`name: there is a contract ${contract.name}`)
    await recordSave(inner, 'contract', before, { ...contract, name: contract.name })
    return contract
  })
}

/** 404 for an unknown one. */
export async function getContract(ctx: Ctx, id: string): Promise<Contract> {
  permit(ctx, 'assets:read')
  const found = isUuid(id) ? await store.contract(ctx, id) : undefined
  if (!found) throw notFound('contract')
  return found
}

/** What is absent stays; null clears. */
export function changeContract(ctx: Ctx, id: string, change: Partial<ContractInput>): Promise<Contract> {
  return atomically(ctx, async (inner) => {
    permit(inner, 'assets:write')
    const before = await lockedContract(inner, id)
    return saveContract(inner, { ...before, ...given(change), id: before.id })
  })
}

/** Refused while entitlements rest on it. */
export async function deleteContract(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:write')
  await atomically(ctx, async (inner) => {
    const contract = await lockedContract(inner, id)
    const resting = (await store.entitlements(inner)).filter(({ contractId }) => contractId === id).length
    if (resting > 0) throw conflict(`${resting} entitlements rest on ${contract.name}: change them first`)
    await store.removeContract(inner, id)
    await record(inner, 'contract.deleted', { type: 'contract', id }, { name: contract.name })
  })
}

/** By product. Uses of archived assets are not counted; they count again when these are revived. */
export async function listEntitlements(ctx: Ctx): Promise<CountedEntitlement[]> {
  permit(ctx, 'assets:read')
  return store.entitlements(ctx)
}

/** A new one, or the one of `id` with these values and no others; its uses stay. */
export async function saveEntitlement(ctx: Ctx, input: EntitlementInput): Promise<CountedEntitlement> {
  permit(ctx, 'assets:write')
  const { metric, contractId = null } = input
  if (!metrics.includes(metric)) throw invalid('metric', `is none of ${metrics.join(', ')}`)
  const entitlement: Entitlement = {
    id: input.id ?? newUuid(ctx.now()),
    product: checkedName('product', input.product, TEXT_LENGTH_MAX),
    vendor: checkedText('vendor', input.vendor),
    metric,
    count: checkedCount(input.count ?? null),
    versionFrom: checkedText('versionFrom', input.versionFrom),
    versionTo: checkedText('versionTo', input.versionTo),
    contractId,
    ...checkedTerms(input),
  }
  return atomically(ctx, async (inner) => {
    const before = input.id === undefined ? undefined : await locked(inner, input.id)
    if (!before && (await store.entitlements(inner)).length >= THINGS_MAX)
      throw conflict(`there are ${THINGS_MAX} entitlements already`)
    const contract = (await store.contracts(inner)).find(({ id }) => id === contractId)
    if (contractId !== null && !contract) throw invalid('contractId', 'names no contract')
    await store.saveEntitlement(inner, entitlement)
    await recordSave(inner, 'entitlement', before, { ...entitlement, name: entitlement.product })
    return { ...entitlement, contract: contract?.name ?? null, used: before?.used ?? 0 }
  })
}

/** 404 for an unknown one. */
export async function getEntitlement(ctx: Ctx, id: string): Promise<CountedEntitlement> {
  const found = (await listEntitlements(ctx)).find((it) => it.id === id)
  if (!found) throw notFound('entitlement')
  return found
}

/** What is absent stays; null clears. */
export function changeEntitlement(
  ctx: Ctx,
  id: string,
  change: Partial<EntitlementInput>,
): Promise<CountedEntitlement> {
  return atomically(ctx, async (inner) => {
    permit(inner, 'assets:write')
    const before = await locked(inner, id)
    return saveEntitlement(inner, { ...before, ...given(change), id: before.id })
  })
}

/** With its uses. */
export async function deleteEntitlement(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:write')
  await atomically(ctx, async (inner) => {
    const { product, used } = await locked(inner, id)
    await store.removeEntitlement(inner, id)
    await record(inner, 'entitlement.deleted', { type: 'entitlement', id }, { name: product, used })
  })
}

export async function usesOf(ctx: Ctx, entitlementId: string): Promise<EntitlementUse[]> {
  permit(ctx, 'assets:read')
  if (!isUuid(entitlementId)) throw notFound('entitlement')
  if (!(await store.entitlements(ctx)).some(({ id }) => id === entitlementId)) throw notFound('entitlement')
  return store.uses(ctx, entitlementId)
}

export interface Assignment {
  readonly entitlementId: string
  readonly assetIds?: readonly string[]
  /** Names or e-mail addresses. */
  readonly persons?: readonly string[]
}

/** Up to 1,000 at a time, all or none; what is assigned already stays. More than the count is allowed: reports tell it. */
export async function assignEntitlement(ctx: Ctx, assignment: Assignment): Promise<CountedEntitlement> {
  permit(ctx, 'assets:write')
  const { entitlementId, assetIds = [], persons = [] } = assignment
  if (assetIds.length + persons.length === 0 || assetIds.length + persons.length > USES_MAX)
    throw invalid('assetIds', `name 1 to ${USES_MAX} assets or persons`)
  if (!assetIds.every(isUuid)) throw notFound('asset')
  const names = persons.map((person) => checkedName('persons', person, TEXT_LENGTH_MAX))
  return atomically(ctx, async (inner) => {
    const entitlement = await locked(inner, entitlementId)
    const assets = await lockAssets(inner, assetIds)
    if (assets.size < new Set(assetIds).size) throw notFound('asset')
    const at = inner.now()
    const added = await store.addUses(inner, entitlementId, {
      uses: [
        ...[...assets.keys()].map((assetId) => ({ id: newUuid(at), assetId, person: null })),
        ...[...new Set(names)].map((person) => ({ id: newUuid(at), assetId: null, person })),
      ],
      at,
    })
    const details = { name: entitlement.product, assets: [...assets.values()], persons: names }
    if (added > 0)
      await record(inner, 'entitlement.assigned', { type: 'entitlement', id: entitlementId }, details)
    return { ...entitlement, used: entitlement.used + added }
  })
}

export interface TakenUses {
  readonly entitlementId: string
  readonly useIds: readonly string[]
  /** Throws 404 when there is none of them. */
  readonly mustBeThere?: boolean
}

/** Takes uses away; their ids are those of `usesOf`. */
export async function unassignEntitlement(
  ctx: Ctx,
  { entitlementId, useIds, mustBeThere = false }: TakenUses,
): Promise<CountedEntitlement> {
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    const entitlement = await locked(inner, entitlementId)
    const removed = await store.removeUses(inner, entitlementId, useIds.filter(isUuid))
    const details = { name: entitlement.product, uses: removed }
    if (removed === 0 && mustBeThere) throw notFound('use')
    if (removed > 0)
      await record(inner, 'entitlement.unassigned', { type: 'entitlement', id: entitlementId }, details)
    return { ...entitlement, used: entitlement.used - removed }
  })
}

const given = <T extends object>(change: T): Partial<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>

/** Of values that are right by themselves, also one that is given and one that was stored before. */
const contradicts = (field: string, why: string): Refusal =>
  new Refusal(409, 'conflict', `${field}: ${why}`, { field })

async function lockedContract(ctx: Ctx, id: string): Promise<Contract> {
  const contract = isUuid(id) ? await store.lockContract(ctx, id) : undefined
  if (!contract) throw notFound('contract')
  return contract
}

async function locked(ctx: Ctx, id: string): Promise<CountedEntitlement> {
  const entitlement = isUuid(id) ? await store.lockEntitlement(ctx, id) : undefined
  if (!entitlement) throw notFound('entitlement')
  return entitlement
}

async function recordSave<T extends { readonly id: string; readonly name: string }>(
  ctx: Ctx,
  type: string,
  before: object | undefined,
  after: T,
): Promise<void> {
  const { id, name } = after
  const changed = before ? difference<object>(before, after) : { after }
  await record(ctx, before ? `${type}.changed` : `${type}.created`, { type, id }, { name, ...changed })
}

function checkedText(field: string, text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === ''
    ? null
    : checkedName(field, text, TEXT_LENGTH_MAX)
}

function checkedCount(count: number | null): number | null {
  if (count !== null && (!Number.isInteger(count) || count < 0 || count > COUNT_MAX))
    throw invalid('count', 'must be a whole number from 0')
  return count
}

/** The rules are those of the same values of assets. */
const ruleOf = {
  begins: 'purchasedOn',
  ends: 'purchasedOn',
  cost: 'price',
  currency: 'currency',
  notes: 'notes',
} as const

function checkedTerms(input: { readonly [K in keyof Terms]?: string | null | undefined }): Terms {
  const checked = (field: keyof Terms): string | null => {
    const text = input[field]?.trim() ?? ''
    if (text === '') return null
    const why = wrongWith(ruleOf[field], text)
    if (why !== undefined) throw invalid(field, why)
    return canonical(ruleOf[field], text)
  }
  const terms: Terms = {
    begins: checked('begins'),
    ends: checked('ends'),
    cost: checked('cost'),
    currency: checked('currency'),
    notes: checked('notes'),
  }
  if (terms.cost !== null && terms.currency === null)
    throw contradicts('currency', 'must say what the cost is in, such as EUR')
  if (terms.begins !== null && terms.ends !== null && terms.ends < terms.begins)
    throw contradicts('ends', 'is before it begins')
  return terms
}
