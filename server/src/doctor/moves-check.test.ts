import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { begin, cancel, freeze } from '#platform/cells/moving/move-store.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { moves } from './moves-check.ts'

test('a move that stands still is told of with how long, and one that is frozen is a fault', async () => {
  const { newTenant, runtime } = await testApp()
  const { system } = runtime
  const { tenantId: id } = await newTenant()
  expect(await moves(system)).toEqual([])
  await begin(system, { id, slug: 'acme', cell: 2, address: 'https://two.example.org' })
  await system.db.run(sql`update tenant_moves set began_at = began_at - interval '90 seconds'`)
  const span = { message: expect.stringMatching(/^acme on its way to cell 2: .* for 9\d s$/) }
  expect(await moves(system)).toMatchObject([{ state: 'warn', ...span }])
  await freeze(system, id)
  await system.db.run(sql`update tenant_moves set frozen_at = frozen_at - interval '10 minutes'`)
  expect(await moves(system)).toMatchObject([
    { state: 'fail', message: 'acme on its way to cell 2: not written to for 10 minutes' },
  ])
  await cancel(system, id)
  expect(await moves(system)).toEqual([])
})
