import { beforeAll, expect, test } from 'vitest'
import { withCondition } from '#platform/conditions/with-condition.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createFindings } from '../findings.fixture.ts'
import type { ListFilter } from '../findings/list-store.ts'
import { listWhere } from './where.ts'
import { list, pageOfMatches } from './where-store.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  const [mine, other] = [await home().newTenant(), await home().newTenant()]
  ctx = mine
  // two of the same score: of these the one found later comes first
  await createFindings(ctx, [
    { cveId: 'CVE-2024-0001', score: 5 },
    { cveId: 'CVE-2024-0002', score: 9 },
  ])
  await createFindings(ctx, [
    { cveId: 'CVE-2024-0003', score: 5 },
    { cveId: 'CVE-2024-0004', score: 1 },
  ])
  await createFindings(other, [{ cveId: 'CVE-2024-0009', score: 5 }])
})

const FOUND = ['CVE-2024-0002', 'CVE-2024-0003', 'CVE-2024-0001', 'CVE-2024-0004']
const OPEN = 'status = open'
const pages = [
  { limit: 10, offset: 0 },
  { limit: 2, offset: 0 },
  { limit: 2, offset: 1 },
  { limit: 1, offset: 3 },
  { limit: 10, offset: 4 },
]
const cves = (items: readonly { readonly cveId: string }[]) => items.map(({ cveId }) => cveId)
const wanted = (): Partial<ListFilter> => ({ atLeast: 20 })

test.each(pages)('%j is the same page whoever works it out', async (page) => {
  const { limit, offset } = page
  const everything = { where: OPEN, wanted: () => ({}) }
  const expected = { total: 4, names: FOUND.slice(offset, offset + limit) }
  const ways = [
    () => listWhere(ctx, page, everything),
    // where answers are not shared
    () => atomically(ctx, (inner) => listWhere(inner, page, everything)),
    () =>
      withCondition(ctx, { subject: 'finding', text: OPEN }, (inner, filter) =>
        list(inner, page, filter, {}),
      ),
  ]
  for (const way of ways) {
    const { items, total } = await way()
    expect({ total, names: cves(items) }).toEqual(expected)
  }
  const deep = await withCondition(ctx, { subject: 'finding', text: OPEN }, (inner, filter) =>
    pageOfMatches(inner, page, filter, {}),
  )
  expect(cves(deep)).toEqual(expected.names)
})

test('what is wanted beside the condition holds as well', async () => {
  const page = { limit: 10, offset: 0 }
  const where = 'cve in (CVE-2024-0001, CVE-2024-0004)'
  const ways = [
    () => listWhere(ctx, page, { where, wanted }),
    () => atomically(ctx, (inner) => listWhere(inner, page, { where, wanted })),
  ]
  for (const way of ways) {
    const { items, total } = await way()
    expect([total, cves(items)]).toEqual([1, ['CVE-2024-0001']])
  }
  const deep = await withCondition(ctx, { subject: 'finding', text: where }, (inner, filter) =>
    pageOfMatches(inner, page, filter, wanted()),
  )
  expect(cves(deep)).toEqual(['CVE-2024-0001'])
})
