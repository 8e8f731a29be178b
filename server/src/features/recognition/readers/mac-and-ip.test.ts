import { expect, test } from 'vitest'
import { readIp, readMac } from './mac-and-ip.ts'
import { registrantOf } from '../vendors/oui.ts'

test.each([
  ['00000C123456', 'Cisco Systems, Inc'],
  // An IAB of 36 bits in the block that the registry keeps.
  ['0050C2407E01', 'AIE Etudes'],
  ['B01F81C842BA', 'Access Device Integrated Communications Corp.'],
  // A part of such a block that nobody has.
  ['9C69B4F76A94', ''],
  ['02608C123456', '3COM'],
  ['3A3541000000', 'Raspberry Pi (Trading) Ltd'],
  ['020000000000', ''],
  ['FFFFFFFFFFFF', ''],
])('%s is assigned to "%s"', (digits, registrant) => {
  expect(registrantOf(digits)).toBe(registrant)
})

test.each([
  ['00:00:0C:12:34:56', { source: 'mac_oui', vendor: 'Cisco Systems, Inc', confidence: 0.35 }],
  ['00:40:8C:12:34:56', { source: 'mac_oui', deviceType: 'camera', confidence: 0.6 }],
  ['00:00:5E:00:01:0A', { source: 'mac_virtual_router', deviceType: 'router', vendor: '' }],
  ['00:00:0C:07:AC:01', { source: 'mac_virtual_router', deviceType: 'router', vendor: 'Cisco Systems, Inc' }],
  ['9a:95:1d:e4:7b:e4', { source: 'mac_locally_administered', confidence: 0, vendor: '' }],
  ['02:60:8C:12:34:56', { source: 'mac_oui', vendor: '3COM' }],
])('%s says %o', (mac, said) => {
  expect(readMac(mac)).toMatchObject(said)
})

test.each(['FF:FF:FF:FF:FF:FF', '01:80:C2:00:00:00', '00:00:00:00:00:00', '9C:69:B4:F7:6A:94', 'nonsense'])(
  '%s says nothing',
  (mac) => {
    expect(readMac(mac)).toBeUndefined()
  },
)

test.each(['192.168.1.1', '10.0.0.254', 'fd00::1', '::ffff:10.0.0.1'])('%s: perhaps a router', (ip) => {
  expect(readIp(ip)).toMatchObject({ source: 'ip', deviceType: 'router', confidence: 0.15 })
})

test.each(['192.168.1.7', '8.8.8.1', '127.0.0.1', 'fe80::1', '2001:db8::1', 'fd00::7:1:0:1', 'x', '1.1'])(
  '%s says nothing',
  (ip) => {
    expect(readIp(ip)).toBeUndefined()
  },
)
