import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { ADVISORY_LOCK_CLASSES, ADVISORY_LOCKS, lockOfTenant, tryLockOfTenant } from './advisory-locks.ts'

const home = sharedTestApp()

test('the keys are those by which earlier releases lock, for nodes of two releases work side by side', () => {
  expect(ADVISORY_LOCKS).toEqual({
    migrations: 7_261_001,
    embeddedServer: 7_261_002,
    scheduler: 7_261_003,
    embeddedDatabase: 7_261_004,
  })
  expect(ADVISORY_LOCK_CLASSES).toEqual({
    identity: 7,
    findings: 22,
    imports: 23,
    attachments: 26,
    receivers: 24,
    reports: 25,
    flows: 65,
    compliance: 27,
    noticeRules: 69,
    groups: 60,
    workers: 7_261_006,
  })
  const all = [...Object.values(ADVISORY_LOCKS), ...Object.values(ADVISORY_LOCK_CLASSES)]
  expect(new Set<number>(all).size).toBe(all.length)
})

test('a lock of a tenant keeps out who wants the same of the same tenant, until the transaction ends', async () => {
  const { db } = home().runtime.system
  const isFree = async (...of: Parameters<typeof tryLockOfTenant>) =>
    db.transaction(async (other) => (await other.one(tryLockOfTenant(...of))).isOurs)
  await db.transaction(async (inner) => {
    await inner.run(lockOfTenant('reports', 'a'))
    expect(await isFree('reports', 'a')).toBe(false)
    expect(await isFree('reports', 'b')).toBe(true)
    expect(await isFree('attachments', 'a')).toBe(true)
  })
  expect(await isFree('reports', 'a')).toBe(true)
})
