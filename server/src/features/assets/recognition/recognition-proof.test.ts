import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { getAsset } from '../assets.ts'
import { queryAssets } from '../listing/filter-and-sort.ts'
import { mergeAssets, unlinkObservations } from '../editing/merge-and-unlink.ts'
import { clearAttribute, setAttribute } from '../editing/attribute-edits.ts'
import { explainAsset } from '../details/explain-asset.ts'
import {
  agent,
  assetsOf,
  csv,
  eventsOf,
  later,
  observationIds,
  seen,
  sweep,
} from '../observations.fixture.ts'
import { backlogJob, recogniseBacklog, enqueueBacklogJobs } from './recognition-backlog.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await shared().newTenant()
})

const snmp = { kind: 'snmp', name: 'core' }
const AXIS = '00:40:8c:12:34:56'
const PRINTER = { sysDescr: 'HP ETHERNET MULTI-ENVIRONMENT,ROM none,JETDIRECT,JD149,EEPROM' }
const SWITCH = {
  sysDescr: 'Cisco IOS Software, C2960X Software (C2960X-UNIVERSALK9-M), Version 15.2(2)E6',
}

const only = async (): Promise<string> => (await assetsOf(ctx))[0]?.id ?? ''
const updates = async () =>
  (await eventsOf(ctx)).filter(({ type }) => type === 'UPDATED_ASSET' || type === 'NEW_ASSET')

describe('the proof of what a thing is', () => {
  test('tells each signal, what it says, and why it is no surer', async () => {
    await submit(ctx, sweep, [seen('1', { mac: AXIS, ip: '192.0.2.7', hostname: 'cam-7' })])
    const { asset, recognition } = await explainAsset(ctx, await only())
    expect(recognition).toMatchObject({
      deviceType: 'camera',
      vendor: expect.stringMatching(/^Axis/),
      confidence: asset.confidence,
      decidedBy: 'signals',
      recognised: { deviceType: 'camera', confidence: asset.confidence },
      doubts: ['names_and_addresses_only'],
      tellMore: ['sweep', 'snmp', 'ssh', 'wmi'],
    })
    expect(recognition.matches.map(({ source }) => source)).toContain('mac_oui')
    expect(recognition.signals).toEqual(
      expect.arrayContaining([
        { name: 'mac', value: AXIS },
        { name: 'ip', value: '192.0.2.7' },
        { name: 'hostname', value: 'cam-7' },
      ]),
    )
    await submit(ctx, snmp, [seen('p', { mac: AXIS, hostname: 'cam-7' }, { facts: PRINTER })])
    const after = await explainAsset(ctx, await only())
    expect(after.recognition).toMatchObject({ deviceType: 'printer', doubts: ['another_type'] })
    expect(after.recognition.tellMore).not.toContain('snmp')
  })

  test('is what the intake announced and stored, of whatever was seen', async () => {
    await submit(ctx, snmp, [
      seen('1', { mac: '00:1b:54:aa:bb:01', ip: '192.0.2.1' }, { facts: SWITCH }),
      seen('2', { mac: '00:1b:54:aa:bb:02' }, { vendor: 'Acme', facts: PRINTER }),
      seen('3', { serial: 'PF0ABC12' }, { os: 'Debian GNU/Linux 13', facts: { openPorts: [22, 80] } }),
      seen('4', { mac: AXIS }, { name: 'door', assetType: 'ot_device' }),
      seen('5', { serial: 'PF0ABC13' }, { name: 'vm', assetType: 'virtual_machine' }),
      seen('6', { hostname: 'prn-3.corp.example' }),
    ])
    const announced = new Map((await updates()).map(({ asset_id: id, confidence }) => [id, confidence]))
    const assets = await assetsOf(ctx)
    expect(assets).toHaveLength(6)
    for (const { id } of assets) {
      const { asset, recognition } = await explainAsset(ctx, id)
      const { deviceType, vendor, model, confidence } = recognition
      expect({ deviceType, vendor, model, confidence }).toEqual({
        deviceType: asset.deviceType,
        vendor: asset.vendor,
        model: asset.model,
        confidence: announced.get(id),
      })
    }
  })

  test('is short for what only its keeper knows', async () => {
    await submit(ctx, csv, [seen('1', {}, { name: 'vm', assetType: 'virtual_machine' })])
    expect((await explainAsset(ctx, await only())).recognition).toEqual({
      deviceType: 'unknown',
      vendor: '',
      model: '',
      confidence: 1,
      decidedBy: 'keeper',
      recognised: null,
      matches: [],
      signals: [],
      doubts: [],
      tellMore: [],
    })
  })

  test('what was recognised is among the offers, unless a source says it already', async () => {
    await submit(ctx, snmp, [seen('1', { mac: AXIS }, { os: 'AXIS OS', facts: { model: 'P3245' } })])
    const offers = async () =>
      Object.fromEntries(
        (await explainAsset(ctx, await only())).attributes.map((each) => [each.attribute, each.offers]),
      )
    expect((await offers())['vendor']).toMatchObject([
      { value: expect.stringMatching(/^axis/i), source: 'recognition', setBy: null },
    ])
    expect((await offers())['deviceType']).toMatchObject([{ value: 'camera', source: 'recognition' }])
    const vendor = (await getAsset(ctx, await only())).vendor
    await submit(later(ctx), csv, [seen('c', { mac: AXIS, hostname: 'x' }, { vendor: vendor.toUpperCase() })])
    await mergeAll()
    expect((await offers())['vendor']).toMatchObject([{ value: vendor.toUpperCase(), source: 'csv list' }])
  })
})

/** Whatever is still two, is one. */
async function mergeAll(): Promise<void> {
  const [one, ...others] = await assetsOf(ctx)
  for (const { id } of others)
    await mergeAssets(ctx, { assetIdA: one?.id ?? '', assetIdB: id, reason: 'same' })
}

describe('what a person says that a device is', () => {
  const correct = (assetId: string, value: string, who = ctx) =>
    setAttribute(who, { assetId, attribute: 'deviceType', value, reason: 'I stood before it' })

  test('stays, is certain, is told and audited, and can be taken back', async () => {
    await submit(ctx, sweep, [seen('1', { mac: AXIS, hostname: 'x-1' })])
    const id = await only()
    const before = await getAsset(ctx, id)
    const { id: userId, email } = await newPerson(shared(), ctx)
    const person: Ctx = { ...ctx, actor: { ...ctx.actor, kind: 'user', id: userId } }
    expect(await correct(id, 'sensor', person)).toMatchObject({
      deviceType: 'sensor',
      confidence: 1,
      vendor: before.vendor,
      model: '',
    })
    await submit(ctx, snmp, [seen('s', { mac: AXIS, hostname: 'x-1' }, { facts: PRINTER })])
    await submit(ctx, agent, [seen('a', { mac: AXIS, hostname: 'x-1' }, { os: 'Linux' })])
    const { asset, recognition, attributes } = await explainAsset(ctx, id)
    expect(asset).toMatchObject({ deviceType: 'sensor', confidence: 1 })
    expect(recognition).toMatchObject({
      deviceType: 'sensor',
      decidedBy: 'person',
      recognised: { deviceType: 'printer' },
    })
    expect(attributes.find(({ attribute }) => attribute === 'deviceType')?.offers).toMatchObject([
      { value: 'sensor', source: 'manual', setBy: email, reason: 'I stood before it' },
      { value: 'printer', source: 'recognition', setBy: null },
    ])
    expect((await updates()).slice(1)).toEqual([
      expect.objectContaining({ changed_fields: ['confidence'], source: 'manual', asset_id: id }),
    ])
    expect(await clearAttribute(person, id, 'deviceType')).toMatchObject({ deviceType: 'printer' })
    expect((await getAsset(ctx, id)).confidence).toBeLessThan(1)
    const { items } = await searchAudit(ctx, { limit: 2, offset: 0 })
    expect(items).toMatchObject([
      {
        action: 'asset.attribute_cleared',
        actor: { id: userId },
        details: { before: { deviceType: 'sensor' }, after: { deviceType: 'printer' } },
      },
      {
        action: 'asset.attribute_set',
        details: { before: { deviceType: 'camera' }, after: { deviceType: 'sensor' } },
      },
    ])
  })

  test('goes to the survivor of a merge unless it has its own, and stays when observations leave', async () => {
    await submit(ctx, csv, [seen('1', { serial: 'PF0ABC12' }, { name: 'one' })])
    await submit(later(ctx), sweep, [seen('2', { serial: 'PF0XYZ99' }, { name: 'two' })])
    const [one = '', two = ''] = (await assetsOf(ctx)).map(({ id }) => id)
    await correct(two, 'storage')
    const merged = await mergeAssets(ctx, { assetIdA: one, assetIdB: two, reason: 'same' })
    expect(merged).toMatchObject({ id: one, deviceType: 'storage', confidence: 1 })
    const ids = await observationIds(ctx)
    await unlinkObservations(ctx, { assetId: one, observationIds: [ids['2'] ?? ''], reason: 'no' })
    expect(await getAsset(ctx, one)).toMatchObject({ deviceType: 'storage', confidence: 1 })
    await correct(two, 'server')
    await mergeAssets(ctx, { assetIdA: one, assetIdB: two, reason: 'yes' })
    expect(await getAsset(ctx, one)).toMatchObject({ deviceType: 'storage' })
  })

  test('may be of a virtual machine, and must be a device type', async () => {
    await submit(ctx, csv, [seen('1', {}, { name: 'vm', assetType: 'virtual_machine' })])
    const id = await only()
    expect(await correct(id, 'firewall')).toMatchObject({ deviceType: 'firewall', confidence: 1 })
    expect((await explainAsset(ctx, id)).recognition).toMatchObject({ decidedBy: 'person', recognised: null })
    await expect(correct(id, 'toaster')).rejects.toMatchObject({ status: 400 })
  })
})

test('assets are found by what the device is for', async () => {
  await submit(ctx, snmp, [
    seen('1', { mac: AXIS }, { name: 'a' }),
    seen('2', { mac: '00:1b:54:aa:bb:02' }, { name: 'b', facts: PRINTER }),
    seen('3', { mac: '00:1b:54:aa:bb:03' }, { name: 'c', facts: SWITCH }),
  ])
  const page = { limit: 10, offset: 0 }
  const found = async (deviceType: 'camera' | 'switch' | 'router') =>
    (await queryAssets(ctx, page, { deviceType })).items.map(({ name }) => name)
  expect([await found('camera'), await found('switch'), await found('router')]).toEqual([['a'], ['c'], []])
  expect((await queryAssets(ctx, page, { deviceType: 'switch' })).total).toBe(1)
})

test('assets of before are worked out from what is stored, and told if they are surer now', async () => {
  await submit(ctx, snmp, [
    seen('1', { mac: AXIS }, { name: 'a' }),
    seen('2', { mac: '00:1b:54:aa:bb:02' }, { name: 'b', facts: PRINTER }),
  ])
  const stored = () => ctx.db.all(sql`select name, device_type, confidence from assets order by name`)
  const before = await stored()
  await ctx.db.run(sql`update assets set device_type = null`)
  await ctx.db.run(sql`update assets set confidence = 0.1 where name = 'b'`)
  expect((await getAsset(ctx, await only())).deviceType).toBe('unknown')
  await enqueueBacklogJobs({ ...shared().runtime.system })
  expect(await ctx.db.all(sql`select 1 from jobs where name = ${backlogJob.name}`)).toHaveLength(1)
  await recogniseBacklog(ctx)
  expect(await stored()).toEqual(before)
  expect((await updates()).slice(2)).toEqual([
    expect.objectContaining({ type: 'UPDATED_ASSET', asset_name: 'b', changed_fields: ['confidence'] }),
  ])
})
