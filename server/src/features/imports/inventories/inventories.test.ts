import { describe, expect, test } from 'vitest'
import { device, hardware, host, now, page, read } from './inventories.fixture.ts'
import { isVirtualHardware } from './values.ts'

describe('Snipe-IT', () => {
  test('hardware with what is recorded of it; texts without HTML entities, secrets left out', async () => {
    const [row] = await read(JSON.stringify({ total: 1, rows: [hardware] }))
    expect(row).toEqual({
      line: 1,
      observation: {
        sourceKey: 'hardware:7',
        seenAt: now,
        name: "Anna's laptop",
        vendor: 'Lenovo',
        model: 'ThinkPad T14 & dock',
        identifiers: [
          { type: 'serial', value: 'PF2QK7A1' },
          { type: 'mac', value: '00:1b:21:0a:0b:0c' },
        ],
        facts: {
          assetTag: 'HW-0007',
          category: 'Laptops',
          company: 'Example',
          modelNumber: '20XK',
          status: 'Ready',
          assignedTo: 'anna',
          customFields: { Colour: 'grey' },
        },
      },
      recorded: {
        owner: 'anna@example.org',
        site: 'Oslo',
        state: 'in_use',
        purchasedOn: '2024-05-01',
        supplier: 'Shop Ltd',
        orderNumber: 'PO-11',
        warrantyEnds: '2027-05-01',
        replaceOn: '2027-05-01',
        notes: 'dented\nlid',
      },
    })
  })

  test('prices only in a currency that somebody named', async () => {
    const costs = ['1,299.50', '1.299,50', '900', '1 200,5', null]
    const file = JSON.stringify(costs.map((cost, id) => ({ ...hardware, id, purchase_cost: cost })))
    const priced = await read(file, { currency: 'EUR' })
    expect(priced.map((it) => 'recorded' in it && it.recorded?.price)).toEqual([
      '1299.50',
      '1299.50',
      '900.00',
      '1200.50',
      undefined,
    ])
  })

  test('pages one after another, a page cut off, deleted things and wrong values: each by its record', async () => {
    const page = (...rows: object[]) => JSON.stringify({ total: 9, rows }, null, 1)
    const deleted = { ...hardware, id: 8, deleted_at: { datetime: '2026-01-02 03:04:05' } }
    const wrong = { ...hardware, id: 9, custom_fields: { A: { value: 'zz', field_format: 'MAC' } } }
    const file = `${page(hardware, deleted)}\n${page(wrong)}\n${page({ ...hardware, id: 10 }).slice(0, 90)}`
    expect((await read(file)).map((it) => ('observation' in it ? it.observation.sourceKey : it))).toEqual([
      'hardware:7',
      { line: 81, field: 'deleted_at', message: expect.stringContaining('2026-01-02 03:04:05 (hardware:8)') },
      { line: 165, field: 'custom_fields', message: expect.stringContaining('is not a MAC address') },
      { line: 236, field: 'record 4', message: 'is cut off: the file ends within it' },
    ])
  })

  test('a custom field may have any title', async () => {
    const file = JSON.stringify([hardware]).replace('"Colour"', '"__proto__"')
    const [row] = await read(file)
    const { facts } = row && 'observation' in row ? row.observation : {}
    expect(Object.entries(facts?.['customFields'] ?? {})).toEqual([['__proto__', 'grey']])
  })

  test('people become assets of type user', async () => {
    const people = { id: 12, username: 'anna', first_name: 'Anna', name: 'Anna Li', email: 'a@example.org' }
    expect(await read(JSON.stringify({ total: 1, rows: [people] }))).toMatchObject([
      { observation: { sourceKey: 'user:12', assetType: 'user', facts: { email: 'a@example.org' } } },
    ])
  })
})

describe('NetBox', () => {
  test('devices and virtual machines', async () => {
    const guest = { ...device, id: 6, device_type: undefined, vcpus: 2, cluster: { name: 'c1' }, serial: '' }
    const [one, two] = await read(page(device, guest))
    expect(one).toMatchObject({
      observation: {
        sourceKey: 'device:5',
        seenAt: new Date('2026-10-01T10:00:00Z'),
        os: 'IOS-XE',
        vendor: 'Cisco',
        model: 'C9300-48P',
        tags: ['core'],
        identifiers: [
          { type: 'serial', value: 'FCW2140L0GH' },
          { type: 'hostname', value: 'sw-core-1.example.org' },
          { type: 'ip', value: '10.0.0.2' },
          { type: 'ip', value: '2001:db8::2' },
        ],
        facts: { role: 'Core switch', assetTag: 'N-5', customFields: { contract: 'C-77' } },
      },
      recorded: { site: 'Oslo', state: 'in_use' },
    })
    expect(two).toMatchObject({ observation: { sourceKey: 'vm:6', assetType: 'virtual_machine' } })
  })

  test('a status that is none of those known is not told', async () => {
    const statuses = ['constructor', '__proto__', 'failed'].map((value) => ({ ...device, status: { value } }))
    const states = (await read(page(...statuses))).map((it) => 'recorded' in it && it.recorded?.state)
    expect(states).toEqual([undefined, undefined, 'in_repair'])
  })

  test('addresses and interfaces are gathered for the device that has them', async () => {
    const url = 'https://netbox.example.org/api/ipam/ip-addresses/1/'
    const address = (text: string, owner: object | null) => ({
      url,
      address: text,
      dns_name: '',
      assigned_object_type: owner && 'dcim.interface',
      assigned_object: owner,
    })
    const of = { device: { id: 5, name: 'sw-core-1' } }
    const readings = await read(
      page(
        address('10.0.0.2/24', of),
        address('10.0.1.2/24', of),
        address('10.0.9.9/24', null),
        address('ten', of),
        { name: 'Gi1/0/1', mac_address: '00:1B:21:0A:0B:0C', ...of },
        { name: 'eth0', mac_addresses: [{ mac_address: '00:1B:21:0A:0B:0D' }], virtual_machine: { id: 6 } },
      ),
    )
    expect(readings).toMatchObject([
      { field: 'address', message: 'is no address: "ten"' },
      {
        observation: {
          sourceKey: 'device:5',
          identifiers: [{ value: '10.0.0.2' }, { value: '10.0.1.2' }, { value: '00:1B:21:0A:0B:0C' }],
          facts: { interfaces: [{ name: 'Gi1/0/1' }] },
        },
      },
      { observation: { sourceKey: 'vm:6', identifiers: [{ type: 'mac' }] } },
    ])
  })
})

test('Fleet: hosts with software; a serial number that is none identifies nothing', async () => {
  expect(await read(JSON.stringify({ hosts: [host] }))).toMatchObject([
    {
      observation: {
        sourceKey: 'host:3',
        seenAt: new Date('2026-11-20T10:00:00Z'),
        assetType: 'virtual_machine',
        identifiers: [
          { type: 'mac', value: '52:54:00:12:34:56' },
          { type: 'hostname', value: 'web-1.example.org' },
          { type: 'ip', value: '10.0.0.7' },
          { type: 'smbios_uuid' },
        ],
        software: {
          release: { id: 'ubuntu', versionId: '22.04' },
          complete: [],
          items: [
            { origin: 'dpkg', name: 'openssl', version: '3.0.2-0ubuntu1.12' },
            { origin: 'rpm', name: 'bash', version: '5.1.8-6.el9', arch: 'x86_64' },
          ],
        },
      },
    },
  ])
})

test('Fleet: software of a source that is a word of JavaScript is left out, and nothing else', async () => {
  const software = ['constructor', '__proto__', 'deb_packages'].map((source) => ({ source, name: source }))
  expect(await read(JSON.stringify({ hosts: [{ ...host, software }] }))).toMatchObject([
    { observation: { software: { items: [{ origin: 'dpkg', name: 'deb_packages' }] } } },
  ])
})

describe('what a hypervisor makes up', () => {
  test.each([
    ['QEMU', 'Standard PC', true],
    ['Red Hat', 'KVM', true],
    ['Xen', 'HVM domU', true],
    ['innotek GmbH', 'VirtualBox', true],
    ['Xen', undefined, true],
    [undefined, 'Xen 4.17 HVM domU', true],
    ['Microsoft Corporation', 'Virtual Machine', true],
    ['ATEN', 'KVM Switch CS1716i', false],
    ['Raritan', 'Dominion KX III KVM', false],
    ['Xentec', 'Xenon 1952g', false],
    ['Lenovo', 'ThinkPad T14', false],
    [undefined, undefined, false],
  ])('%s %s: %s', (vendor, model, isVirtual) => {
    expect(isVirtualHardware(vendor, model)).toBe(isVirtual)
  })
})

describe('Lansweeper', () => {
  const header =
    'AssetID;AssetName;Domain;AssetTypename;IPAddress;Mac;Lastseen;PurchaseDate;Statename;Colour\n'

  test('a report in any order, unknown columns left out; a monitor has no host name', async () => {
    const rows = '1;PC-1;CORP;Windows;10.0.0.9;00:1B:21:0A:0B:0E;2026-11-20 08:00:00;31/03/2024;Active;red\n'
    const [pc, monitor] = await read(`${header}${rows}2;DELL-U24;;Monitor;;;;;Stock;\n`)
    expect(pc).toMatchObject({
      observation: {
        sourceKey: 'asset:1',
        seenAt: new Date('2026-11-20'),
        identifiers: [{ type: 'mac' }, { type: 'hostname', value: 'PC-1' }, { type: 'ip' }],
        facts: { domain: 'CORP', lansweeperType: 'Windows' },
      },
      recorded: { purchasedOn: '2024-03-31', state: 'in_use' },
    })
    expect(monitor).toMatchObject({ observation: { identifiers: [] }, recorded: { state: 'in_stock' } })
  })

  test('a state that is none of those known is not told', async () => {
    const rows = ['constructor', '__proto__', 'Stock'].map((state, n) => `${n};PC-${n};;;;;;;${state};\n`)
    const read3 = await read(header + rows.join(''))
    expect(read3.map((it) => 'recorded' in it && it.recorded?.state)).toEqual([false, false, 'in_stock'])
  })

  test.each([
    ['03/04/2026 08:00', false],
    ['03/13/2026 8:00:00 AM', true],
    ['3.4.2026', true],
    ['yesterday', false],
  ])('a date that may be two days is refused, not guessed: %s', async (text, isTaken) => {
    const [row] = await read(`${header}1;PC-1;;;;;${text};;;\n`)
    expect(row).toMatchObject(isTaken ? { line: 2, observation: {} } : { line: 2, field: 'Lastseen' })
  })
})

test('what is no export of any of them says so', async () => {
  await expect(read('{"total":1,"rows":{"a":1}}')).rejects.toThrow('no list of hardware or users of Snipe-IT')
  await expect(read('{"a":1}')).rejects.toThrow('is in none of the formats')
  expect(await read('{"hosts":[1,{"x":2}]}')).toMatchObject([
    { field: 'record 1', message: 'is no list of hosts of Fleet' },
    { field: 'record 2' },
  ])
})
