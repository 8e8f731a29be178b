import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf } from '#test/support/http/graphql-client.ts'

test('what has ended is told with its cycle; what is not known of it is null', async () => {
  const home = await testApp({ contextOf: believed })
  const ctx = await home.newTenant()
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const releases = [
    { cycle: '10', label: '10 (old)', endsOn: '2022-09-10', extendedUntil: '2032-06-30', latest: '10.13' },
    { cycle: '11', label: '11', endsOn: dayIn(179) },
    { cycle: '12', label: '12', endsOn: dayIn(182) },
  ].map((it) => ({ ...it, isLongTerm: false }))
  const body = { product: 'debian', label: 'Debian', identifiers: [], releases }
  await home.runtime.system.db.run(
    sql`insert into lifecycles (product, body) values ('debian', ${JSON.stringify(body)}::jsonb)`,
  )
  await submit(
    ctx,
    agent,
    releases.map(({ cycle }) => {
      const release = { id: 'debian', versionId: cycle, prettyName: `Debian ${cycle}` }
      return seen(cycle, { serial: `SN-${cycle}` }, { software: { release, complete: [], items: [] } })
    }),
  )
  const ask = asker(home.as(), headersOf(ctx))
  const listed = async (args: string) => {
    const { data, errors } = await ask<{
      endOfLife: { total: number; items: unknown[] }
    }>(`{ endOfLife${args} {
      total items { kind name version product label cycle isEnded endsOn extendedUntil latest assets }
    } }`)
    expect(errors).toBeUndefined()
    return data?.endOfLife
  }
  const usual = await listed('')
  expect(usual).toMatchObject({
    total: 2,
    items: [
      {
        kind: 'system',
        name: 'Debian 10',
        product: 'debian',
        cycle: '10',
        isEnded: true,
        endsOn: '2022-09-10',
        extendedUntil: '2032-06-30',
        latest: '10.13',
        assets: 1,
      },
      { name: 'Debian 11', isEnded: false, extendedUntil: null, latest: null },
    ],
  })
  expect(await listed('(withinDays: 190, first: 1, offset: 2)')).toMatchObject({
    total: 3,
    items: [{ name: 'Debian 12' }],
  })
})
