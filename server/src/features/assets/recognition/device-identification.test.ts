import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { csv, eventsOf, seen, sweep } from '../observations.fixture.ts'

const tenant = async () => (await testApp()).newTenant()
const shown = (ctx: Awaited<ReturnType<typeof tenant>>) =>
  ctx.db.one<{ vendor: string; model: string; confidence: number; type: string }>(
    sql`select vendor, model, confidence, asset_type as type from assets`,
  )
const snmp = { kind: 'snmp', name: 'core' }
const mac = '00:1b:54:aa:bb:cc'
const printer = { sysDescr: 'HP ETHERNET MULTI-ENVIRONMENT,ROM none,JETDIRECT,JD149,EEPROM' }

describe('what a thing is', () => {
  test('is read from the signals of all its sources', async () => {
    const ctx = await tenant()
    await submit(ctx, sweep, [seen('1', { mac, hostname: 'sw-1' })])
    const before = await shown(ctx)
    expect(before).toMatchObject({ vendor: expect.stringMatching(/^Cisco/), type: 'device' })
    expect(before.confidence).toBeGreaterThan(0)
    const facts = {
      sysDescr: 'Cisco IOS Software, C2960X Software (C2960X-UNIVERSALK9-M), Version 15.2(2)E6',
    }
    await submit(ctx, snmp, [seen('sw', { mac, hostname: 'sw-1' }, { facts })])
    await submit(ctx, csv, [seen('c', { mac, hostname: 'sw-1' })])
    const after = await shown(ctx)
    expect(after.confidence).toBeGreaterThan(before.confidence + 0.05)
    const events = (await eventsOf(ctx)).filter(({ type }) => String(type).endsWith('_ASSET'))
    expect(events).toMatchObject([
      { type: 'NEW_ASSET', confidence: before.confidence },
      { type: 'UPDATED_ASSET', changed_fields: ['confidence'], source: 'discovery' },
    ])
  })

  test('is what a source says, where one does', async () => {
    const ctx = await tenant()
    await submit(ctx, snmp, [seen('1', { mac }, { vendor: 'Acme', facts: printer })])
    expect(await shown(ctx)).toMatchObject({ vendor: 'Acme', model: '', type: 'device' })
  })

  test('is certain of things that only their keeper knows', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', {}, { name: 'Anna', assetType: 'user' })])
    expect(await shown(ctx)).toMatchObject({ confidence: 1, vendor: '' })
  })

  test('is unknown without a signal', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', { serial: 'PF0ABC12' })])
    expect(await shown(ctx)).toMatchObject({ confidence: 0, vendor: '', model: '' })
  })
})
