import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createAsset, createMatches, createSoftware, findingOf, install, sync } from '../findings.fixture.ts'
import { listFindings } from '../vulnerabilities.ts'
import type { NewOverride } from './override.ts'
import {
  approveOverride,
  createOverride,
  endOverride,
  listOverrides,
  setOverridesNeedApproval,
} from './overrides.ts'

const app = sharedTestApp()
const PAGE = { limit: 50, offset: 0 }
const accepted: NewOverride = { kind: 'accepted_risk', cveId: 'CVE-2024-0001', reason: 'behind a proxy' }

/** One CVE on two assets, of which only the first is seen. */
async function scene() {
  const ctx = await app().newTenant()
  const software = await createSoftware(ctx, { name: 'openssl', version: '3.0.1' })
  await createMatches(ctx, software, [{}])
  const [near, far] = [await createAsset(ctx), await createAsset(ctx)]
  for (const id of [near, far]) {
    await install(ctx, id, [software])
    await sync(ctx, id)
  }
  return {
    ctx,
    limited: ctx.conditions.limit(ctx, `id in (${near})`),
    near,
    far,
    nearFinding: await findingOf(ctx, near),
    farFinding: await findingOf(ctx, far),
  }
}

test('who is limited overrides a finding that they see, and ends that', async () => {
  const { ctx, limited, nearFinding, farFinding } = await scene()
  const { id, state } = await createOverride(limited, { ...accepted, findingId: nearFinding })
  expect(state).toBe('active')
  expect((await listFindings(ctx, PAGE)).items).toMatchObject([{ id: farFinding }])
  await endOverride(limited, id, 'the proxy is gone')
  expect((await listFindings(ctx, PAGE)).total).toBe(2)
})

test('other findings are not there, and wider scopes are refused with a reason', async () => {
  const { ctx, limited, farFinding } = await scene()
  await expect(createOverride(limited, { ...accepted, findingId: farFinding })).rejects.toMatchObject({
    status: 404,
  })
  for (const scope of [{}, { package: 'openssl' }, { tag: 'web' }])
    await expect(createOverride(limited, { ...accepted, ...scope })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('overrides single findings'),
    })
  const wide = await createOverride(ctx, accepted)
  await expect(endOverride(limited, wide.id, 'mine now')).rejects.toMatchObject({ status: 403 })
  expect((await listFindings(ctx, PAGE)).total).toBe(0)
})

test('a second person who is limited approves what is about a finding that they see', async () => {
  const { ctx, limited, nearFinding, farFinding } = await scene()
  await setOverridesNeedApproval(ctx, true)
  const other = { ...ctx, actor: { ...ctx.actor, id: 'author' } }
  const near = await createOverride(other, { ...accepted, findingId: nearFinding })
  const far = await createOverride(other, { ...accepted, findingId: farFinding })
  expect(await approveOverride(limited, near.id)).toMatchObject({ state: 'active' })
  await expect(approveOverride(limited, far.id)).rejects.toMatchObject({ status: 404 })
})

test('overrides by a condition or a tag are listed where they change a finding that is seen, and not elsewhere', async () => {
  const { ctx, limited, near, far } = await scene()
  const listed = async () => (await listOverrides(limited, PAGE, {})).items.map(({ id }) => id)
  const elsewhere = await createOverride(ctx, { ...accepted, condition: `id in (${far})` })
  await createOverride(ctx, { ...accepted, tag: 'berlin' })
  expect(await listed()).toEqual([])
  await expect(approveOverride(limited, elsewhere.id)).rejects.toMatchObject({ status: 404 })
  const here = await createOverride(ctx, { ...accepted, condition: `id in (${near})` })
  expect(await listed()).toEqual([here.id])
  const wide = await createOverride(ctx, accepted)
  expect(await listed()).toEqual([wide.id, here.id])
})
