import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listChecksOfAsset } from './asset-checks/asset-checks.ts'
import { explainCheck, listControlAssets } from './check-detail.ts'
import { createCheck } from './checks/own-checks.ts'
import {
  adoptFramework,
  evaluateNow,
  explainControl,
  listAffectedAssets,
  listChecks,
  listControls,
  listFrameworks,
} from './compliance.ts'
import { createException, endException, listExceptions } from './exceptions/exceptions.ts'

/** Who is limited to some assets reads what checks found of these, and nothing of the others. */

const home = sharedTestApp()
const FRAMEWORK = 'nist-csf-2.0'
/** A control that no shipped check judges. */
const CONTROL = 'GV.PO-01'
const PAGE = { limit: 50, offset: 0 }
const LIMITED = 'limited to some of them'

let ctx: Ctx
let limited: Ctx
let checkId: string
/** Within the limit: of `mine` the check fails, of `silent` it is unknown, `fine` is in order. Beyond: the others fail. */
let ids: Readonly<Record<'mine' | 'silent' | 'fine' | 'far' | 'farther', string>>

beforeAll(async () => {
  ctx = await home().newTenant()
  ids = {
    mine: await asset('mine', ['near', 'leased'], 'BOLT10017'),
    silent: await asset('silent', ['near']),
    fine: await asset('fine', ['near'], 'ACME10018'),
    far: await asset('far', ['rented'], 'BOLT10019'),
    farther: await asset('farther', ['leased'], 'BOLT10020'),
  }
  limited = ctx.conditions.limit(ctx, 'tag = near')
  await adoptFramework(ctx, FRAMEWORK)
  const check = await createCheck(ctx, {
    title: 'Serial numbers begin with A',
    scope: '',
    condition: 'serial : acme',
    severity: 'high',
    next: 'Look at the label.',
    controls: [{ framework: FRAMEWORK, controlId: CONTROL }],
    tolerance: '0',
  })
  checkId = check.id
  await evaluateNow(ctx)
})

async function asset(name: string, tags: string[], serial?: string): Promise<string> {
  const identifiers = [
    { type: 'hostname' as const, value: name },
    ...(serial ? [{ type: 'serial' as const, value: serial }] : []),
  ]
  const observation = { sourceKey: name, seenAt: ctx.now(), name, tags, identifiers }
  await submit(ctx, { kind: 'csv', name: 'list' }, [{ ...observation, ...(serial ? { serial } : {}) }])
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and name = ${name}`)
  return id
}

const except = (reason: string, what: { assetId?: string; tag?: string }) =>
  createException(ctx, {
    checkId,
    reason,
    expiresAt: new Date(ctx.now().getTime() + 86_400_000).toISOString(),
    ...what,
  })

test('the checks of an asset within the limit are told with what they found and why', async () => {
  const found = await listChecksOfAsset(limited, ids.mine)
  expect(found.find((it) => it.checkId === checkId)).toMatchObject({
    title: 'Serial numbers begin with A',
    outcome: 'failed',
    next: 'Look at the label.',
    controls: [{ framework: FRAMEWORK, controlId: CONTROL }],
    isExcepted: false,
  })
  expect(found).toEqual(await listChecksOfAsset(ctx, ids.mine))
  expect(await listChecksOfAsset(limited, ids.silent)).toEqual(await listChecksOfAsset(ctx, ids.silent))
  await expect(listChecksOfAsset(limited, ids.far)).rejects.toThrow('asset not found')
})

test('the assets of a check and of a control are those within the limit, and so are the counts', async () => {
  const outcomes = [
    { assetId: ids.mine, outcome: 'failed' },
    { assetId: ids.silent, outcome: 'unknown' },
  ]
  expect(await listAffectedAssets(limited, PAGE, checkId)).toMatchObject({ total: 2, items: outcomes })
  const control = { framework: FRAMEWORK, controlId: CONTROL }
  expect(await listControlAssets(limited, PAGE, control)).toMatchObject({ total: 2, items: outcomes })
  expect((await listAffectedAssets(ctx, PAGE, checkId)).total).toBe(4)
  const counts = { inScope: 3, ok: 1, failed: 1, unknown: 1, excepted: 0 }
  expect(await explainCheck(limited, checkId)).toMatchObject({
    ...counts,
    condition: 'serial : acme',
    countsFor: [{ ...control, status: null }],
  })
  expect(await explainCheck(ctx, checkId)).toMatchObject({
    inScope: 5,
    failed: 3,
    countsFor: [{ status: 'fail' }],
  })
})

test('statuses and totals of controls and frameworks stay closed', async () => {
  await expect(listFrameworks(limited)).rejects.toThrow(LIMITED)
  await expect(listControls(limited, FRAMEWORK)).rejects.toThrow(LIMITED)
  await expect(explainControl(limited, FRAMEWORK, CONTROL)).rejects.toThrow(LIMITED)
  await expect(listChecks(limited, FRAMEWORK)).rejects.toThrow(LIMITED)
  await expect(evaluateNow(limited)).rejects.toThrow(LIMITED)
})

test('exceptions that can cover visible assets are listed, and no others', async () => {
  const made = [
    await except('of mine', { assetId: ids.mine }),
    await except('of far', { assetId: ids.far }),
    await except('of leased', { tag: 'leased' }),
    await except('of rented', { tag: 'rented' }),
    await except('of all', {}),
  ]
  const { items, total } = await listExceptions(limited, PAGE, { checkIds: [checkId] })
  expect(items.map(({ reason }) => reason).toSorted()).toEqual(['of all', 'of leased', 'of mine'])
  expect(total).toBe(3)
  expect(await explainCheck(limited, checkId)).toMatchObject({ failed: 1, excepted: 1 })
  expect((await listAffectedAssets(limited, PAGE, checkId)).items[0]).toMatchObject({ isExcepted: true })
  const [ofMine, ofFar] = made
  await expect(endException(limited, ofFar?.id ?? '', 'r')).rejects.toThrow('exception not found')
  await expect(endException(limited, ofMine?.id ?? '', 'r')).rejects.toThrow(LIMITED)
  for (const { id } of made) await endException(ctx, id, 'over')
  expect(await explainCheck(limited, checkId)).toMatchObject({ failed: 1, excepted: 0 })
})
