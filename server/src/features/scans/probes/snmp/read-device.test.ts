import { afterAll, expect, test } from 'vitest'
import { signalsOf } from '#features/recognition/recognition.ts'
import { community, answersOf, look, testAgent, type Instances, type TestAgent } from './agent.fixture.ts'
import { integer, objectIdentifier, octets } from './protocol/ber.ts'
import { oid } from './protocol/oid.ts'

const agents: TestAgent[] = []
afterAll(async () => {
  await Promise.all(agents.map((it) => it.close()))
})

/** No recording of such devices is at hand: these are rows as the MIBs' documents describe them. */
async function seenOf(instances: Instances) {
  const agent = await testAgent(answersOf(instances))
  agents.push(agent)
  return (await look([community(agent.port)])).seen
}

const bytes = (hex: string): Buffer => octets(Buffer.from(hex, 'hex'))

test('a printer: serial, pages, supplies', async () => {
  const seen = await seenOf({
    '1.3.6.1.2.1.1.1.0': octets('HP ETHERNET MULTI-ENVIRONMENT,ROM none,JETDIRECT,JD153'),
    '1.3.6.1.2.1.1.2.0': objectIdentifier(oid('1.3.6.1.4.1.11.2.3.9.1')),
    '1.3.6.1.2.1.25.3.2.1.2.1': objectIdentifier(oid('1.3.6.1.2.1.25.3.1.5')),
    '1.3.6.1.2.1.25.3.2.1.3.1': octets('HP LaserJet 600 M602'),
    '1.3.6.1.2.1.43.5.1.1.16.1': octets('Second floor'),
    '1.3.6.1.2.1.43.5.1.1.17.1': octets('CNDCF1234X'),
    '1.3.6.1.2.1.43.10.2.1.3.1.1': integer(7),
    '1.3.6.1.2.1.43.10.2.1.4.1.1': integer(123_456),
    '1.3.6.1.2.1.43.11.1.1.6.1.1': octets('Black Cartridge HP CE390X\0'),
    '1.3.6.1.2.1.43.11.1.1.6.1.2': octets('Waste'),
    '1.3.6.1.2.1.43.11.1.1.8.1.1': integer(200),
    '1.3.6.1.2.1.43.11.1.1.8.1.2': integer(-2),
    '1.3.6.1.2.1.43.11.1.1.9.1.1': integer(83),
    '1.3.6.1.2.1.43.11.1.1.9.1.2': integer(-3),
  })
  expect(seen).toMatchObject({
    name: 'Second floor',
    facts: {
      snmpDescriptions: ['HP LaserJet 600 M602'],
      pagesPrinted: 123_456,
      supplies: [{ name: 'Black Cartridge HP CE390X', percent: 42 }, { name: 'Waste' }],
    },
  })
  expect(seen.identifiers).toContainEqual({ type: 'serial', value: 'CNDCF1234X' })
})

test('a stack: the serials of its members, VLANs, stations, LLDP', async () => {
  const seen = await seenOf({
    '1.3.6.1.2.1.1.1.0': octets('A switch'),
    '1.3.6.1.2.1.2.2.1.2.7': octets('GigabitEthernet1/0/7'),
    '1.3.6.1.2.1.2.2.1.3.7': integer(6),
    '1.3.6.1.2.1.2.2.1.6.7': bytes('001122334407'),
    '1.3.6.1.2.1.17.1.1.0': bytes('001122334400'),
    '1.3.6.1.2.1.17.1.4.1.2.3': integer(7),
    '1.3.6.1.2.1.17.7.1.2.2.1.2.9.0.170.187.204.221.1': integer(3),
    '1.3.6.1.2.1.17.7.1.2.2.1.2.9.0.17.34.51.68.0': integer(0),
    '1.3.6.1.2.1.17.7.1.2.2.1.3.9.0.170.187.204.221.1': integer(3),
    '1.3.6.1.2.1.17.7.1.2.2.1.3.9.0.17.34.51.68.0': integer(4),
    '1.3.6.1.2.1.17.7.1.4.2.1.3.0.20': integer(9),
    '1.3.6.1.2.1.17.7.1.4.3.1.1.20': octets('office'),
    '1.3.6.1.2.1.47.1.1.1.1.4.1': integer(0),
    '1.3.6.1.2.1.47.1.1.1.1.4.2': integer(1),
    '1.3.6.1.2.1.47.1.1.1.1.4.3': integer(1),
    '1.3.6.1.2.1.47.1.1.1.1.4.4': integer(2),
    '1.3.6.1.2.1.47.1.1.1.1.5.1': integer(11),
    '1.3.6.1.2.1.47.1.1.1.1.5.2': integer(3),
    '1.3.6.1.2.1.47.1.1.1.1.5.3': integer(3),
    '1.3.6.1.2.1.47.1.1.1.1.5.4': integer(9),
    '1.3.6.1.2.1.47.1.1.1.1.11.2': octets('FOC1111A111'),
    '1.3.6.1.2.1.47.1.1.1.1.11.3': octets('FOC2222B222'),
    '1.3.6.1.2.1.47.1.1.1.1.11.4': octets('MODULE0001'),
    '1.0.8802.1.1.2.1.3.1.0': integer(4),
    '1.0.8802.1.1.2.1.3.2.0': bytes('001122334400'),
    '1.0.8802.1.1.2.1.3.7.1.2.3': integer(7),
    '1.0.8802.1.1.2.1.3.7.1.3.3': octets('3'),
    '1.0.8802.1.1.2.1.3.7.1.4.3': octets('GigabitEthernet1/0/7'),
    '1.0.8802.1.1.2.1.4.1.1.4.100.3.1': integer(4),
    '1.0.8802.1.1.2.1.4.1.1.5.100.3.1': bytes('00deadbeef01'),
    '1.0.8802.1.1.2.1.4.1.1.6.100.3.1': integer(5),
    '1.0.8802.1.1.2.1.4.1.1.7.100.3.1': octets('eth0'),
    '1.0.8802.1.1.2.1.4.1.1.9.100.3.1': octets('server-1'),
    '1.0.8802.1.1.2.1.4.1.1.10.100.3.1': octets('HP LaserJet 4250 in disguise'),
    '1.0.8802.1.1.2.1.4.2.1.3.100.3.1.1.4.10.9.8.7': integer(2),
  })
  expect(seen.identifiers.slice(1)).toEqual([
    { type: 'mac', value: '00:11:22:33:44:07' },
    { type: 'serial', value: 'FOC1111A111' },
    { type: 'serial', value: 'FOC2222B222' },
    { type: 'chassis_id', value: '00:11:22:33:44:00' },
  ])
  expect(seen.facts).toMatchObject({
    vlans: [{ id: 20, name: 'office' }],
    stations: [{ mac: '00:aa:bb:cc:dd:01', vlan: 20, localInterface: 'GigabitEthernet1/0/7' }],
    neighbours: [
      {
        by: 'lldp',
        localInterface: 'GigabitEthernet1/0/7',
        remoteChassis: '00:de:ad:be:ef:01',
        remoteInterface: 'eth0',
        remoteName: 'server-1',
        remoteAddresses: ['10.9.8.7'],
      },
    ],
    modules: [{ serial: 'MODULE0001' }],
  })
  // what a neighbour says is not taken for the device's own word
  const { texts, ports } = signalsOf(seen)
  expect(texts).toEqual([{ source: 'snmp_sysdescr', text: 'A switch' }])
  expect(ports).toBeUndefined()
})
