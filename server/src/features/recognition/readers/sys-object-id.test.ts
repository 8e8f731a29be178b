import { expect, test } from 'vitest'
import { readSysObjectId } from './sys-object-id.ts'

test.each([
  ['1.3.6.1.4.1.14988.1', { vendor: 'MikroTik', deviceType: 'router', confidence: 0.8, model: '' }],
  ['.1.3.6.1.4.1.14988.1', { vendor: 'MikroTik' }],
  ['iso.3.6.1.4.1.14988.1', { vendor: 'MikroTik' }],
  ['SNMPv2-SMI::enterprises.14988.1', { vendor: 'MikroTik' }],
  ['1.3.6.1.4.1.9.1.99999', { vendor: 'Cisco', confidence: 0.5 }],
  ['1.3.6.1.4.1.9.5.46', { vendor: 'Cisco', deviceType: 'switch', confidence: 0.8 }],
  // Known models.
  [
    '1.3.6.1.4.1.2011.2.23.476',
    { vendor: 'Huawei', deviceType: 'switch', model: 'S5720-54C-PWR-LI-AC', confidence: 0.95 },
  ],
  ['1.3.6.1.4.1.12356.101.1.842', { vendor: 'Fortinet', deviceType: 'firewall', model: 'FortiGate 80E' }],
  ['1.3.6.1.4.1.2636.1.1.1.4.31.3', { vendor: 'Juniper', deviceType: 'switch', model: 'EX4200-48T' }],
  // What the maker's own list of products says of a model.
  ['1.3.6.1.4.1.9.1.2794', { vendor: 'Cisco', deviceType: 'switch', confidence: 0.95 }],
  ['1.3.6.1.4.1.9.1.3336', { vendor: 'Cisco', deviceType: 'router', model: 'C1131X-8PWK' }],
  ['1.3.6.1.4.1.9.1.2242', { vendor: 'Cisco', deviceType: 'firewall', model: 'ASA5516' }],
  ['1.3.6.1.4.1.9.1.2240', { vendor: 'Cisco', deviceType: 'access_point' }],
  ['1.3.6.1.4.1.25506.1.876', { vendor: 'H3C', deviceType: 'switch', model: 'S12508' }],
  ['1.3.6.1.4.1.2011.2.240.26', { vendor: 'Huawei', deviceType: 'access_point', model: 'AirEngine9700-H' }],
  ['1.3.6.1.4.1.171.10.118.3', { vendor: 'D-Link', deviceType: 'switch' }],
  ['1.3.6.1.4.1.43.1.16.4.2.6', { vendor: '3Com', deviceType: 'router' }],
  ['1.3.6.1.4.1.318.1.3.2.16', { vendor: 'APC', deviceType: 'unknown' }],
  // A maker whom only the registry of enterprise numbers knows, and one who makes mostly one kind of thing.
  ['1.3.6.1.4.1.4467.99.1', { vendor: 'Fibrolan', deviceType: 'switch', confidence: 0.6, model: '' }],
  ['1.3.6.1.4.1.46242.9', { vendor: 'Netonix', deviceType: 'switch', confidence: 0.6 }],
  // Nobody of ours, but someone with a block of MAC addresses makes devices.
  ['1.3.6.1.4.1.46251.1', { vendor: 'POSBANK CO.,LTD', confidence: 0.5, model: '' }],
  ['1.3.6.1.4.1.872.7', { vendor: 'AVM', confidence: 0.5, model: '' }],
])('%s says %o', (oid, said) => {
  expect(readSysObjectId(oid)).toMatchObject({ source: 'snmp_sysobjectid', ...said })
})

test.each([
  '',
  '1.3.6.1.2.1',
  '1.3.6.1.4.1.',
  '1.3.6.1.4.1.4294967295',
  // A university, and a company that is called nearly like a maker.
  '1.3.6.1.4.1.13.1',
  '1.3.6.1.4.1.59356.1',
  `1.3.6.1.4.1.9${'.1'.repeat(400)}`,
  'x',
])('"%s" says nothing', (oid) => {
  expect(readSysObjectId(oid)).toBeUndefined()
})
