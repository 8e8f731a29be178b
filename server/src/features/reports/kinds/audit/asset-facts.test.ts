import { expect, test } from 'vitest'
import { bytesText, hardwareOf, interfacesIn } from './asset-facts.ts'

const nothing = {
  cpu_model: null,
  cpu_count: null,
  memory_bytes: null,
  disk_bytes: null,
  bios: null,
  booted_at: null,
  disks: null,
  modules: null,
}

test('what is not known has no line', () => {
  expect(hardwareOf(nothing)).toEqual([])
})

test('hardware as lines, whatever form a source gives its parts', () => {
  const lines = hardwareOf({
    ...nothing,
    cpu_model: 'Xeon',
    cpu_count: 1,
    memory_bytes: 17_179_869_184,
    disks: [{ name: 'sda', model: 'SSD', sizeBytes: 512_110_190_592 }, 'what is this', null],
    modules: 'none',
    booted_at: '2026-11-20T10:00:00.000Z',
  })
  expect(lines).toEqual([
    { what: 'Processor', value: 'Xeon, 1 processor' },
    { what: 'Memory', value: '16 GiB' },
    { what: 'Disk', value: 'sda, SSD, 476.9 GiB' },
    { what: 'Started', value: '2026-11-20 10:00 UTC' },
  ])
})

test.each([
  [0, ''],
  [1_023, '1023 B'],
  [1_536, '1.5 KiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

test('interfaces as listed, with addresses of either form', () => {
  const listed = [
    { name: 'eth0', mac: 'aa:bb', addresses: ['192.0.2.1', { ip: '192.0.2.2', prefix: 24 }, 7] },
  ]
  expect(interfacesIn(listed, { macs: null, addresses: null })).toEqual([
    { interface: 'eth0', mac: 'aa:bb', addresses: '192.0.2.1, 192.0.2.2/24' },
  ])
})

test('without a list, addresses belong to a MAC address only when there is one alone', () => {
  expect(interfacesIn(null, { macs: ['a'], addresses: ['192.0.2.1/32'] })).toEqual([
    { interface: null, mac: 'a', addresses: '192.0.2.1' },
  ])
  expect(interfacesIn([], { macs: ['a', 'b'], addresses: ['2001:db8::1/128'] })).toEqual([
    { interface: null, mac: 'a', addresses: '' },
    { interface: null, mac: 'b', addresses: '' },
    { interface: null, mac: null, addresses: '2001:db8::1' },
  ])
})
