import { expect, test } from 'vitest'
import { recognize, type Signals } from './recognition.ts'
import { readText } from './readers/device-text.ts'
import { readSysObjectId } from './readers/sys-object-id.ts'
import { textSources, type TextSource } from './signals.ts'

/** The rules by which a type is found (`docs/accuracy.md`), each with devices that nobody made. */

const asks = (...texts: readonly (readonly [TextSource, string])[]): Signals => ({
  texts: texts.map(([source, text]) => ({ source, text })),
})

test.each([
  // a firewall of a family of switches, an access point of one of routers, a switch of a maker of firewalls
  ['Catalyst 9000 series firewall', 'firewall'],
  ['ISR wireless access point, Cisco', 'access_point'],
  ['FortiGate companion Ethernet switch', 'switch'],
  ['PowerEdge network printer', 'printer'],
  ['RouterBOARD network camera', 'camera'],
])('the noun beats the line: "%s" is a %s', (text, type) => {
  expect(readText({ source: 'snmp_sysdescr', text })).toMatchObject({ deviceType: type })
})

test.each([
  ['Ethernet switch module for the blade chassis of a PowerEdge server', 'switch'],
  ['Network camera compatible with QNAP NAS', 'camera'],
  ['Access point powered by Catalyst 3560', 'access_point'],
  ['Print server for LaserJet 4250', 'printer'],
])('what something is for is another thing: "%s" is a %s', (text, type) => {
  expect(readText({ source: 'http', text })?.deviceType).toBe(type)
})

test.each([
  asks(['pjl', 'Nordwerk 12'], ['http', 'Nordwerk Managed Switch']),
  asks(['ipp', 'Nordwerk 12'], ['snmp_sysdescr', 'Cisco IOS Software, C2960 Software']),
  { ...asks(['pjl', 'Nordwerk 12'], ['ssh', 'SSH-2.0-RomSShell']), mac: '00:00:0C:00:00:01' },
  { ...asks(['ipp', 'Nordwerk 12']), hostname: 'firewall-1', ports: [22, 443] },
])('a protocol that only printers speak bars its rivals: %o', (signals) => {
  const { deviceType, matches } = recognize(signals)
  expect(deviceType).toBe('printer')
  const rivals = matches.filter((match) => !['printer', 'unknown'].includes(match.deviceType))
  expect(rivals.filter(({ confidence }) => confidence > 0.35)).toEqual([])
})

test.each([
  ['EX2300', 'Juniper Networks EX2300', 'switch'],
  ['MX240', 'Juniper Networks MX240', 'router'],
  ['HL-1210', 'Brother HL-1210', 'printer'],
  ['DS-7600', 'Hikvision DS-7600', 'camera'],
])('first letters of a model, %s, count beside the maker: "%s" is a %s', (alone, beside, type) => {
  const lone = readText({ source: 'snmp_sysdescr', text: `Nordwerk ${alone.slice(0, 2)}${alone.slice(-3)}` })
  expect(lone?.deviceType).toBeUndefined()
  expect(readText({ source: 'snmp_sysdescr', text: beside })?.deviceType).toBe(type)
})

test.each(['Fortinet', 'AXIS', 'Hikvision', 'Ruckus', 'Synology', 'Arista'])(
  'that %s makes mostly one kind of thing is worth 0.6 at most, whoever says it',
  (maker) => {
    const sources = textSources.filter(
      (source) => !['pjl', 'ipp', 'rtsp', 'favicon', 'dhcp'].includes(source),
    )
    for (const source of sources) {
      const said = readText({ source, text: `${maker} thing` })
      expect({ source, confidence: said?.confidence ?? 0 }).toMatchObject({
        confidence: expect.toSatisfy((stated: number) => stated <= 0.6),
      })
    }
  },
)

test.each([
  ['FortiAP, an extender', 'firewall'],
  ['AXIS network loudspeaker', 'camera'],
  ['Ruckus ICX 7150 switch', 'access_point'],
])('and is no verdict where the text says otherwise: "%s" is no %s', (text, habit) => {
  expect(readText({ source: 'http', text })?.deviceType).not.toBe(habit)
})

test.each([
  { hostname: 'printer-3' },
  asks(['title', 'Network Camera']),
  { ...asks(['title', 'Managed Switch']), hostname: 'core-switch-1' },
  { ...asks(['title', 'LaserJet 4250']), hostname: 'laserjet', mac: '3C:D9:2B:00:00:01' },
  asks(['snmp_sysdescr', 'Linux nas-7 5.10.0-21-amd64 #1 SMP x86_64']),
])('words of people are worth a host name, together never high: %o', (signals) => {
  expect(recognize(signals).confidence).toBeLessThan(0.8)
})

test("words of people lose against a device's own", () => {
  const signals = { ...asks(['snmp_sysdescr', 'Acme Ethernet switch']), hostname: 'printer-3' }
  expect(recognize(signals)).toMatchObject({ deviceType: 'switch', source: 'snmp_sysdescr' })
})

test.each([
  // the maker of one and the model of the other would be a device that nobody makes
  asks(['http', 'Synology DiskStation DS918'], ['ssh', 'SSH-2.0-ROSSSH']),
  asks(['snmp_sysdescr', 'HP LaserJet 4250'], ['http', 'AXIS P3245-LVE Network Camera']),
  asks(['http', 'Juniper EX4300-24P connected to HP LaserJet 4250']),
  { ...asks(['http', 'AXIS P3245-LVE Network Camera']), vendor: 'HP', model: 'DL380' },
])('two statements about two things never make one answer: %o', (signals) => {
  const { vendor, model, deviceType } = recognize(signals)
  const made: Readonly<Record<string, readonly [RegExp, readonly string[]]>> = {
    Synology: [/^(DS|DiskStation|$)/, ['storage']],
    MikroTik: [/^$/, ['router']],
    HP: [/^(LaserJet|4250|DL380|$)/, ['printer', 'server']],
    AXIS: [/^(P3245|$)/, ['camera']],
    Juniper: [/^(EX4300|$)/, ['switch']],
  }
  expect(made[vendor]?.[1]).toContain(deviceType)
  expect(model).toMatch(made[vendor]![0])
})

test('what the maker says of a model decides before the branch that it stands in', () => {
  // below 9.1 of Cisco, most of which are routers and switches
  expect(readSysObjectId('1.3.6.1.4.1.9.1.2242')).toMatchObject({ deviceType: 'firewall', model: 'ASA5516' })
  expect(readSysObjectId('1.3.6.1.4.1.9.1.2240')).toMatchObject({ deviceType: 'access_point' })
})
