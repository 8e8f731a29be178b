import { expect, test } from 'vitest'
import { readText } from './device-text.ts'

test.each([
  // The noun beats the product's line.
  ['snmp_sysdescr', 'Cisco Nexus Access Point', { deviceType: 'access_point', basis: 'contested' }],
  ['http', 'Acme ADSL Firewall Router', { deviceType: 'router', basis: 'noun' }],
  ['http', 'HP LaserJet 4250 network printer', { deviceType: 'printer', basis: 'agreed', vendor: 'HP' }],
  // A product's name beside its maker's, or beside another's that says the same, is no lone voice.
  ['http', 'Synology DiskStation', { deviceType: 'storage', basis: 'confirmed', vendor: 'Synology' }],
  ['http', 'DiskStation', { deviceType: 'storage', basis: 'word', vendor: 'Synology' }],
  // A day of the week is no maker.
  ['http', 'SVPNCOOKIE=; expires=Sun, 11 Mar 1984 12:00:00 GMT', { vendor: 'Fortinet' }],
  ['snmp_sysdescr', 'NetApp Release 9.7P5: Sun Jun 21 03:41:00 UTC 2020', { vendor: 'NetApp' }],
  // What stands behind "for" is another thing.
  ['snmp_sysdescr', 'Gigabit switch module for PowerEdge chassis', { deviceType: 'switch' }],
  ['snmp_sysdescr', 'Management module for LaserJet 4250', { deviceType: 'printer', basis: 'aside' }],
  // Only printers speak PJL and IPP.
  ['pjl', 'Acme Switch 12', { deviceType: 'printer', basis: 'spoken' }],
  ['ipp', 'Acme Router', { deviceType: 'printer', basis: 'spoken' }],
  // Two or three letters count beside their maker.
  ['snmp_sysdescr', 'Juniper EX4300-24P', { deviceType: 'switch', vendor: 'Juniper' }],
  // What the maker lists, and what the list knows the like of.
  [
    'snmp_sysdescr',
    'Juniper Networks, Inc. srx340 internet router, kernel JUNOS 15',
    { deviceType: 'firewall', basis: 'listed' },
  ],
  ['http', 'H3C WX3510E', { deviceType: 'access_point' }],
  // A family has several kinds of device: what else the text says decides, and alone it is never high.
  ['snmp_sysdescr', 'HP ProCurve thing', { deviceType: 'switch', basis: 'family' }],
  ['snmp_sysdescr', 'HP ProCurve wireless access point', { deviceType: 'access_point' }],
  // So has a system that routers, switches and firewalls of a maker run, in the greetings of its SSH.
  ['ssh', 'SSH-2.0-Cisco-1.25', { basis: 'family', vendor: 'Cisco', model: '' }],
  ['ssh', 'SSH-2.0-Comware-7.1.045', { basis: 'family', vendor: 'H3C', model: '' }],
  ['ssh', 'SSH-2.0-Zyxel SSH server', { basis: 'family', vendor: 'Zyxel' }],
  ['telnet', 'Use Stelnet instead', { basis: 'family', vendor: 'Huawei' }],
  ['snmp_sysdescr', 'H3C Comware Software, Version 7.1.064', { basis: 'family', vendor: 'H3C' }],
  // What its maker calls it.
  ['snmp_sysdescr', 'SCALANCE S602', { deviceType: 'firewall', vendor: 'Siemens' }],
  ['snmp_sysdescr', 'SCALANCE S615', { deviceType: 'router', vendor: 'Siemens' }],
  ['http', 'FortiWeb', { deviceType: 'firewall', vendor: 'Fortinet' }],
  // Letters and a number that others have, too, count beside their maker.
  ['snmp_sysdescr', 'HP DL380 G7', { deviceType: 'server', vendor: 'HP' }],
  // Makers as controllers of buildings and machines tell them.
  ['industrial', 'Phoenix Controls Corporation', { deviceType: 'sensor', vendor: 'Phoenix Controls' }],
  ['industrial', 'Carrier Corporation', { deviceType: 'sensor', vendor: 'Carrier' }],
  ['industrial', 'Yaskawa Electric', { vendor: 'Yaskawa' }],
  // What kinds of device are called elsewhere, and what they announce.
  ['http', "Point d'accès Wi-Fi", { deviceType: 'access_point', basis: 'noun' }],
  ['title', '网络摄像机', { deviceType: 'camera' }],
  ['http', 'ブロードバンドルーター', { deviceType: 'router' }],
  ['dhcp', 'docsis3.0:', { deviceType: 'gateway' }],
  ['mdns', '_scanner._tcp.local', { deviceType: 'printer' }],
  // A system that a maker built in says nothing of the device.
  ['snmp_sysdescr', 'Linux 4.4.60', { deviceType: 'server', basis: 'system' }],
] as const)('%s "%s" is %o', (source, text, said) => {
  expect(readText({ source, text })).toMatchObject(said)
})

test('a maker whose name is a word of the language is one where a controller names its maker', () => {
  expect(readText({ source: 'industrial', text: 'Carrier' })?.vendor).toBe('Carrier')
  expect(readText({ source: 'http', text: 'Carrier detected' })?.vendor ?? '').toBe('')
})

test.each([
  ['snmp_sysdescr', 'EX4300-24P'],
  ['http', 'ST-1200'],
])('%s "%s": short first letters of a number say no type', (source, text) => {
  expect(readText({ source: source as 'http', text })?.deviceType).toBeUndefined()
})

test('a node name in the text of uname is none of the device', () => {
  expect(readText({ source: 'snmp_sysdescr', text: 'Linux printer-7 5.10.0 x86_64' })?.deviceType).toBe(
    'server',
  )
  expect(readText({ source: 'snmp_sysdescr', text: 'SunOS switch-3 5.10 sun4u' })?.deviceType).not.toBe(
    'switch',
  )
})
