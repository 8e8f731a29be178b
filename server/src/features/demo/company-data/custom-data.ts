import {
  archiveAsset,
  createGroup,
  defineCustomField,
  listAssets,
  listCustomFields,
  setCustomFieldOfAssets,
  type Asset,
} from '#features/assets/assets.ts'
import { listContracts, uploadAttachment } from '#features/records/records.ts'
import { addRelation } from '#features/topology/topology.ts'
import { setAssetWeight } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Ctx } from '#platform/context.ts'

/** What people of the company add to what sources report, once: custom fields, groups, relations, weights, files, an archive. */

const SERVERS_MAX = 200
const EXPOSED = 8
/** Printers and plant devices of which somebody said what reaches them: one too many can be reached from the internet. */
const REVIEWED = 8
/** In a small estate nothing is archived, so that all of it is there to look at. */
const ARCHIVED = { ofAssets: 200, count: 2 }

export async function createCustomData(ctx: Ctx): Promise<void> {
  if ((await listCustomFields(ctx)).length > 0) return
  const servers = await some(ctx, 'type = server', SERVERS_MAX)
  await fillFields(ctx, servers)
  await createGroups(ctx)
  await relate(ctx, servers)
  await weigh(ctx, servers)
  await attachFiles(ctx, servers)
  const { total } = await listAssets(ctx, { limit: 1, offset: 0 })
  if (total < ARCHIVED.ofAssets) return
  for (const { id } of await some(ctx, 'state = retired', ARCHIVED.count)) await archiveAsset(ctx, id)
}

/** By name, so that the same estate has the same. */
async function some(ctx: Ctx, where: string, limit: number): Promise<Asset[]> {
  const { items } = await listAssets(ctx, { limit: SERVERS_MAX, offset: 0 }, { where })
  return items.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit)
}

async function fillFields(ctx: Ctx, servers: readonly Asset[]): Promise<void> {
  const choices = ['daily', 'weekly', 'none']
  const backup = await defineCustomField(ctx, { name: 'Backup', kind: 'text', choices })
  const personal = await defineCustomField(ctx, { name: 'Personal data', kind: 'boolean' })
  const unit = await defineCustomField(ctx, { name: 'Rack unit', kind: 'number' })
  const counted = await defineCustomField(ctx, { name: 'Last stock-take', kind: 'date' })
  const day = ctx.now().toISOString().slice(0, 8) + '01'
  await fill(ctx, servers, { fieldId: backup.id, valueOf: (at) => choices[at % 4] })
  await fill(ctx, servers, {
    fieldId: personal.id,
    valueOf: (at) => (at % 3 === 0 ? undefined : at % 2 === 0),
  })
  await fill(ctx, servers, { fieldId: unit.id, valueOf: (at) => (at % 42) + 1 })
  await fill(ctx, servers, { fieldId: counted.id, valueOf: (at) => (at % 5 === 0 ? undefined : day) })
}

interface Filling {
  readonly fieldId: string
  /** Of the asset at this place; undefined: nobody wrote it down. */
  readonly valueOf: (at: number) => string | number | boolean | undefined
}

async function fill(ctx: Ctx, assets: readonly Asset[], { fieldId, valueOf }: Filling): Promise<void> {
  const idsOf = Map.groupBy(
    assets.map(({ id }, at) => ({ id, value: valueOf(at) })),
    ({ value }) => value,
  )
  for (const [value, some] of idsOf)
    if (value !== undefined)
      await setCustomFieldOfAssets(ctx, { assetIds: some.map(({ id }) => id), fieldId, value })
}

async function createGroups(ctx: Ctx): Promise<void> {
  for (const [name, condition, description] of [
    ['All servers', 'type = server', ''],
    ['Servers without a backup', 'group = "All servers" and custom.backup = none', 'For the monthly review.'],
    ['Out of warranty soon', 'warranty_ends > -1d and warranty_ends < +90d', 'To be extended or replaced.'],
    ['In the store room', 'state = in_stock', ''],
  ] as const)
    await createGroup(ctx, { name, condition, description })
}

/** The second server is a database that others depend on. */
async function relate(ctx: Ctx, [first, database, ...others]: readonly Asset[]): Promise<void> {
  if (!first || !database) return
  for (const { id: fromId } of [first, ...others.slice(0, 2)])
    await addRelation(ctx, { fromId, kind: 'depends_on', toId: database.id, note: 'Its database' })
}

/** Databases and hypervisors matter most; a few servers can be reached from the internet. */
async function weigh(ctx: Ctx, [, database, ...others]: readonly Asset[]): Promise<void> {
  if (database)
    await setAssetWeight(ctx, { assetId: database.id, criticality: 'critical', exposure: 'isolated' })
  for (const { id: assetId } of await some(ctx, 'type = hypervisor', REVIEWED))
    await setAssetWeight(ctx, { assetId, criticality: 'critical', exposure: 'isolated' })
  for (const { id: assetId } of others.slice(0, EXPOSED))
    await setAssetWeight(ctx, { assetId, criticality: 'high', exposure: 'internet' })
  for (const type of ['printer', 'ot_device'])
    for (const [at, { id: assetId }] of (await some(ctx, `type = ${type}`, REVIEWED)).entries())
      await setAssetWeight(ctx, {
        assetId,
        criticality: 'normal',
        exposure: at === 0 ? 'internet' : 'isolated',
      })
}

async function attachFiles(ctx: Ctx, [, database]: readonly Asset[]): Promise<void> {
  const [contract] = await listContracts(ctx)
  if (database)
    await attach(
      ctx,
      { assetId: database.id },
      'handover.txt',
      'Restart: first the database, then its clients.\n',
    )
  if (contract)
    await attach(
      ctx,
      { contractId: contract.id },
      'renewal.txt',
      'Give notice three months before it ends.\n',
    )
}

async function attach(
  ctx: Ctx,
  to: { readonly assetId: string } | { readonly contractId: string },
  ...[name, text]: readonly [string, string]
): Promise<void> {
  const content = Buffer.from(text)
  const file = { key: name, name, bytes: content.length, at: 0, content: parts(content) }
  await uploadAttachment(ctx, { ...to, ...file })
}

async function* parts(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}
