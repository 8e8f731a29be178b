import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { observedOfAssets } from './observation-read-store.ts'
import { assetsOf, csv, seen } from '../observations.fixture.ts'

const tenant = async () => (await testApp()).newTenant()

describe('a thinner report', () => {
  const shown = (ctx: Parameters<typeof assetsOf>[0]) =>
    ctx.db.one(sql`select name, os, vendor, hostname, ip_address, serial, tags from assets`)
  const full = seen(
    '1',
    { serial: 'PF0ABC12', hostname: 'web-1', ip: ['10.0.0.5', '10.0.0.6'] },
    {
      name: 'Shop',
      os: 'Debian',
      vendor: 'Dell',
      tags: ['a'],
      facts: { ports: [22], banner: 'old' },
    },
  )
  const before = {
    name: 'Shop',
    os: 'Debian',
    vendor: 'Dell',
    hostname: 'web-1',
    ip_address: '10.0.0.5',
    serial: 'PF0ABC12',
    tags: ['a'],
  }

  test('erases nothing that it does not mention', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [full])
    await submit(ctx, csv, [seen('1', { serial: 'PF0ABC12' }, { minute: 1, facts: { banner: 'new' } })])
    expect(await shown(ctx)).toEqual(before)
    await submit(ctx, csv, [seen('1', {}, { minute: 2 })])
    expect(await shown(ctx)).toEqual(before)
    const [observed] = await observedOfAssets(
      ctx,
      (await assetsOf(ctx)).map(({ id }) => id),
    )
    expect(observed?.combined.facts).toEqual({ ports: [22], banner: 'new' })
  })

  test('replaces what it mentions', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [full])
    await submit(ctx, csv, [seen('1', { ip: '10.0.0.6' }, { minute: 1, os: 'Debian 13', tags: [] })])
    expect(await shown(ctx)).toEqual({ ...before, os: 'Debian 13', ip_address: '10.0.0.6', tags: [] })
  })

  test('that came first and is older than the full one changes nothing either', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', { serial: 'PF0ABC12' }, { minute: 1 })])
    await submit(ctx, csv, [full])
    expect(await shown(ctx)).toEqual(before)
  })
})
