import { describe, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { assetsOf, csv, seen, sweep } from '../observations.fixture.ts'

const tenant = async () => (await testApp()).newTenant()

describe('the name of an asset', () => {
  const agents = { kind: 'agent', name: 'agents' }
  const nmap = { kind: 'nmap-xml', name: 'nmap' }
  const mac = { mac: '3c:2a:f4:02:34:5f' }
  const told = { ...mac, serial: 'PF0ABC12' }
  test.each([
    [
      'what somebody called it',
      [
        [csv, {}, 'Shop'],
        [sweep, { hostname: 'web-1' }, undefined],
      ],
      'Shop',
    ],
    [
      'by the best source',
      [
        [csv, {}, 'Shop'],
        [{ kind: 'mdm', name: 'm' }, {}, 'Shop 2'],
      ],
      'Shop 2',
    ],
    [
      'and not an address',
      [
        [csv, {}, 'Shop'],
        [agents, { ip: '10.0.0.5' }, '10.0.0.5'],
      ],
      'Shop',
    ],
    [
      'nor a MAC address',
      [
        [csv, {}, 'Shop'],
        [agents, {}, '3C-2A-F4-02-34-5F'],
      ],
      'Shop',
    ],
    [
      'nor the host name again',
      [
        [csv, {}, 'Shop'],
        [nmap, { hostname: 'WEB-1' }, 'web-1'],
      ],
      'Shop',
    ],
    [
      'nor the name of an address',
      [
        [csv, {}, 'Shop'],
        [nmap, { ptr_name: 'h5.example' }, 'h5.example'],
      ],
      'Shop',
    ],
    [
      'unless people keep the list',
      [
        [csv, { hostname: 'web-1' }, 'WEB-1'],
        [sweep, {}, undefined],
      ],
      'WEB-1',
    ],
    [
      'else its host name',
      [
        [csv, { hostname: 'web-1' }, undefined],
        [sweep, { ip: '10.0.0.5' }, '10.0.0.5'],
      ],
      'web-1',
    ],
    [
      'even of a lesser source',
      [
        [csv, { hostname: 'web-1' }, undefined],
        [nmap, { ptr_name: 'h5.example' }, 'h5.example'],
      ],
      'web-1',
    ],
    [
      'else what the DNS calls its address',
      [
        [csv, {}, undefined],
        [nmap, { ptr_name: 'h5.example' }, 'h5.example'],
      ],
      'h5.example',
    ],
    [
      'else its address',
      [
        [csv, {}, undefined],
        [sweep, { ip: '10.0.0.5' }, '10.0.0.5'],
      ],
      '10.0.0.5',
    ],
    ['else its MAC address', [[csv, {}, undefined]], '3c:2a:f4:02:34:5f'],
  ] as const)('is %s', async (_, matchRecords, expected) => {
    for (const order of [matchRecords, matchRecords.toReversed()]) {
      const ctx = await tenant()
      for (const [source, values, name] of order) {
        await submit(ctx, source, [seen('1', { ...told, ...values }, name === undefined ? {} : { name })])
      }
      expect(await assetsOf(ctx)).toMatchObject([{ name: expected }])
    }
  })
})

test('a sweep and a list are one by MAC address and the name in the DNS', async () => {
  const ctx = await tenant()
  const [mac, ip, name] = ['3c:2a:f4:02:34:5f', '10.0.0.5', 'web-1.corp.example']
  await submit(ctx, sweep, [seen('10.0.0.5|', { mac, ip, ptr_name: name })])
  await submit(ctx, csv, [seen('2', { mac, hostname: name }, { minute: 600, name: 'Shop' })])
  expect(await assetsOf(ctx)).toMatchObject([{ name: 'Shop', keys: ['10.0.0.5|', '2'] }])
})
