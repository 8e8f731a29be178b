import { describe, expect, test } from 'vitest'
import { bareName, macClass, vendorKey, nameClass, normaliseIdentifier } from './identifiers.ts'
import type { IdentifierType } from '../observation.ts'

const valueOf = (type: IdentifierType, text: string): string => {
  const reading = normaliseIdentifier({ type, value: text })
  return reading.kind === 'value' ? reading.value : reading.kind
}

describe('a MAC address has one spelling', () => {
  test.each([
    '3C:2A:F4:02:34:5F',
    '3c-2a-f4-02-34-5f',
    '3c2a.f402.345f',
    '3c2af4-02345f',
    '3c2af402345f',
    '3c:2a:f4:2:34:5f',
    ' 3C 2A F4 02 34 5F ',
  ])('%s', (text) => {
    expect(valueOf('mac', text)).toBe('3c:2a:f4:02:34:5f')
  })

  test.each([
    ['00:00:00:00:00:00', 'null'],
    ['ff:ff:ff:ff:ff:ff', 'broadcast'],
    ['01:00:5e:00:00:fb', 'multicast'],
    ['00:00:5e:00:01:0a', 'VRRP'],
    ['00:00:0c:07:ac:01', 'HSRP'],
    ['0a:00:27:00:00:00', 'host-only adapter'],
    ['02:50:41:00:00:01', 'VPN adapter'],
    ['ee:ee:ee:ee:ee:ee', 'placeholder of Calico'],
    ['ac:de:48:00:11:22', 'inside of Macs'],
    ['02:bf:0a:00:00:05', 'cluster'],
  ])('%s is junk: %s', (text) => {
    expect(valueOf('mac', text)).toBe('junk')
  })

  test.each(['00:11:22:33:44', '00:11:22:33:44:55:66', 'zz:11:22:33:44:55', '0011223344556', 'a b c d e f'])(
    '%s is malformed',
    (text) => expect(valueOf('mac', text)).toBe('malformed'),
  )

  test.each([
    ['3c:2a:f4:02:34:5f', 'universal'],
    ['00:50:56:9a:01:02', 'hypervisor'],
    ['52:54:00:01:02:03', 'hypervisor'],
    ['da:a1:19:00:00:01', 'local'],
  ])('%s is %s', (mac, expected) => expect(macClass(mac)).toBe(expected))
})

describe('an SMBIOS UUID', () => {
  const bigEndian = '4C4C4544-0043-3510-8052-B9C04F4A3632'
  const littleEndian = '{44454c4c-4300-1035-8052-b9c04f4a3632}'

  test('is the same in both byte orders', () => {
    expect(valueOf('smbios_uuid', bigEndian)).toBe(valueOf('smbios_uuid', littleEndian))
  })
  test.each([
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '00000000-0000-0000-0000-000000000001',
    '00112233-4455-6677-8899-AABBCCDDEEFF',
    '4C4C4544-0000-2010-8020-80C04F202020',
    '03000200-0400-0500-0006-000700080009',
    '00020003-0004-0005-0006-000700080009',
    '44454C4C-5600-1048-8057-C2C04F4A3632',
    'Not Settable',
  ])('%s is junk', (text) => expect(valueOf('smbios_uuid', text)).toBe('junk'))
})

describe('a serial number', () => {
  test('is trimmed and upper case', () => expect(valueOf('serial', '  pf0abc12 ')).toBe('PF0ABC12'))
  test.each([
    'Default string',
    'To Be Filled By O.E.M.',
    'To be filled by O.E.M',
    'System Serial Number',
    'Not Specified',
    'None',
    'N/A',
    '0',
    '00000000',
    'XXXXXXXXXXXX',
    '................',
    '123456789',
    'System Product Name',
    'INVALID_SERIAL',
    'MB-1234567890',
    'QEMU',
  ])('%s is junk', (text) => expect(valueOf('serial', text)).toBe('junk'))
})

describe('a host name', () => {
  test.each([
    ['WEB-1.Corp.Example.', 'web-1.corp.example', 'full'],
    ['CORP\\PC1', 'corp\\pc1', 'full'],
    ['Printer-3.local', 'printer-3', 'bare'],
    ['DESKTOP-A1B2C3D', 'desktop-a1b2c3d', 'bare'],
    ['localhost.localdomain', 'localhost', 'generic'],
    ['ip-10-0-0-5', 'ip-10-0-0-5', 'generic'],
    ['192-168-1-20.dyn.isp.example', '192-168-1-20.dyn.isp.example', 'generic'],
    ['iPhone', 'iphone', 'generic'],
  ])('%s is %s, %s', (text, name, kind) => {
    expect(valueOf('hostname', text)).toBe(name)
    expect(nameClass(name)).toBe(kind)
  })
  test('that is an address is no name', () => expect(valueOf('hostname', '10.0.0.5')).toBe('junk'))
  test.each([
    ['pc1.corp.example', 'pc1'],
    ['corp\\pc1', 'pc1'],
    ['pc1', 'pc1'],
  ])('%s is bare %s', (name, bare) => expect(bareName(name)).toBe(bare))
})

describe('an address', () => {
  test.each([
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:10.0.0.5', '10.0.0.5'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[2001:db8::2]', '2001:db8::2'],
    ['0.0.0.0', 'junk'],
    ['224.0.0.251', 'junk'],
    ['255.255.255.255', 'junk'],
    ['010.0.0.1', 'malformed'],
    ['10.0.0', 'malformed'],
    ['2130706433', 'malformed'],
    ['10.0.0.0/24', 'malformed'],
  ])('%s is %s', (text, expected) => expect(valueOf('ip', text)).toBe(expected))
})

test.each([
  ['machine_id', '{B0A1C2D3-E4F5-0617-2839-4A5B6C7D8E9F}', 'b0a1c2d3e4f5061728394a5b6c7d8e9f'],
  ['machine_id', 'uninitialized', 'junk'],
  [
    'ssh_host_key',
    'MD5:16:27:AC:A5:76:28:2D:36:63:1B:56:4D:EB:DF:A6:48',
    'md5:1627aca576282d36631b564debdfa648',
  ],
  [
    'ssh_host_key',
    'SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8=',
    'sha256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8',
  ],
  ['ssh_host_key', 'rsa', 'malformed'],
  ['snmp_engine', '0x80001F8880E9630000D61FF449', '80001f8880e9630000d61ff449'],
  ['snmp_engine', '80:00:1f:88:01:7f:00:00:01', 'junk'],
  ['chassis_id', '001E.7AAA.BBCC', '00:1e:7a:aa:bb:cc'],
  ['chassis_id', 'FOC1234X0AB', 'foc1234x0ab'],
  ['cloud_id', 'AWS:123456789012/eu-west-1/I-0ABC', 'aws:123456789012/eu-west-1/i-0abc'],
  ['agent_key', '   ', 'junk'],
] as const)('%s %s is %s', (type, text, expected) => expect(valueOf(type, text)).toBe(expected))

test.each([
  ['Dell Inc.', 'DELL'],
  ['Hewlett-Packard', 'HPE'],
  ['Cisco Systems, Inc.', 'cisco'],
  ['VMware, Inc.', 'VMware'],
  ['Super Micro Computer', 'Supermicro'],
])('%s and %s are one maker', (one, other) => expect(vendorKey(one)).toBe(vendorKey(other)))
test('a maker that firmware left out is not known', () => {
  expect(vendorKey('To Be Filled By O.E.M.')).toBeUndefined()
  expect(vendorKey('')).toBeUndefined()
})
