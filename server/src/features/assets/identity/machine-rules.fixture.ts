import { MINUTE, type Circumstances } from './match-records.fixture.ts'

/** Cases of the rules of docs/identity.md. */

const DAY = 24 * 60 * MINUTE
export type Values = Record<string, readonly string[]>
export type Seen = readonly [Values, Circumstances?]
export type Decision = 'one' | 'asked' | 'two'

export interface Case {
  readonly case: string
  readonly a: Seen
  readonly b: Seen
  readonly is: Decision
  /** Comes last; what is then decided about the first two. */
  readonly late?: readonly [Seen, Decision]
}

const KEYS = { k: `sha256:${'k'.repeat(43)}`, m: `sha256:${'m'.repeat(43)}` }
const UUID = '4c4c4544-0043-3510-8052-b9c04f4a3632'
const OTHER_UUID = '8a4c4544-0099-3510-8052-c7c04f4a3777'
export const card = (n: number): Values => ({ mac: [`00:25:90:10:00:0${n}`], ip: [`10.1.0.${n}`] })
export const day = (from: number, until = from): Circumstances => ({ from: from * DAY, until: until * DAY })

export const machineRules: Readonly<Record<string, readonly Case[]>> = {
  'an agent, by its key': [
    {
      case: 'renamed, at another address',
      a: [{ agent_key: ['k'], hostname: ['x'] }],
      b: [{ agent_key: ['k'], hostname: ['y'] }, day(9)],
      is: 'one',
    },
    {
      case: 'its configuration copied to another machine that is there too',
      a: [{ agent_key: ['k'], ...card(1) }],
      b: [{ agent_key: ['k'], ...card(2) }],
      is: 'asked',
      late: [[{ agent_key: ['k'], mac: ['00:25:90:10:00:01', '00:25:90:10:00:02'] }], 'one'],
    },
    {
      case: 'a machine that was imaged again: other key, machine id and name, the same hardware',
      a: [{ agent_key: ['k'], machine_id: ['a1'], hostname: ['old'], serial: ['PF0ABC12'] }, day(0, 3)],
      b: [{ agent_key: ['l'], machine_id: ['b2'], hostname: ['new'], serial: ['PF0ABC12'] }, day(5, 9)],
      is: 'one',
    },
    {
      case: 'imaged again without a serial, by its network card and UUID',
      a: [{ agent_key: ['k'], machine_id: ['a1'], smbios_uuid: [UUID], ...card(1) }, day(0, 3)],
      b: [{ agent_key: ['l'], machine_id: ['b2'], smbios_uuid: [UUID], ...card(1) }, day(5, 9)],
      is: 'one',
    },
    {
      case: 'two agents that report at once',
      a: [{ agent_key: ['k'], serial: ['PF0ABC12'] }],
      b: [{ agent_key: ['l'], serial: ['PF0ABC12'] }],
      is: 'two',
    },
  ],
  'a machine of a cloud, by its id': [
    {
      case: 'stopped and started: other address, another name',
      a: [{ cloud_id: ['aws:1/i-1'], ip: ['54.1.1.1'], hostname: ['ip-10-0-0-5'] }, day(0, 1)],
      b: [{ cloud_id: ['aws:1/i-1'], ip: ['54.9.9.9'], hostname: ['ip-10-0-0-9'] }, day(3)],
      is: 'one',
    },
    {
      case: 'two of one image',
      a: [{ cloud_id: ['aws:1/i-1'], machine_id: ['a1'], ssh_host_key: [KEYS.k], ...card(1) }],
      b: [{ cloud_id: ['aws:1/i-2'], machine_id: ['a1'], ssh_host_key: [KEYS.k], ...card(2) }],
      is: 'two',
    },
    {
      case: 'an address that passes to the next one',
      a: [{ cloud_id: ['aws:1/i-1'], ip: ['54.1.1.1'] }, day(0, 1)],
      b: [{ cloud_id: ['aws:1/i-2'], ip: ['54.1.1.1'] }, day(3)],
      is: 'two',
    },
    {
      case: 'a guest of a hypervisor and its agent: the UUID in the other order of octets',
      a: [{ cloud_id: ['vcenter:1/50'], smbios_uuid: [UUID] }],
      b: [{ agent_key: ['k'], smbios_uuid: ['44454c4c-4300-1035-8052-b9c04f4a3632'] }],
      is: 'one',
    },
  ],
  'hardware, by its serial': [
    {
      case: 'of the same maker',
      a: [{ serial: ['CZC1234XYZ'] }, { vendor: 'HP' }],
      b: [{ serial: ['CZC1234XYZ'] }, { vendor: 'Hewlett-Packard' }],
      is: 'one',
    },
    {
      case: 'of two makers',
      a: [{ serial: ['CZC1234XYZ'] }, { vendor: 'HP' }],
      b: [{ serial: ['CZC1234XYZ'] }, { vendor: 'Lenovo' }],
      is: 'two',
    },
    {
      case: 'a system and the management controller of its server: other card, address and name',
      a: [
        { serial: ['CZC1234XYZ'], hostname: ['db-1'], ...card(1) },
        { vendor: 'HP', until: DAY },
      ],
      b: [
        { serial: ['CZC1234XYZ'], hostname: ['ilo-db-1'], ...card(2) },
        { vendor: 'HP', until: DAY },
      ],
      is: 'one',
    },
    {
      case: 'the same of a maker that one of the two does not tell',
      a: [
        { serial: ['CZC1234XYZ'], hostname: ['db-1'], ...card(1) },
        { vendor: 'HP', until: DAY },
      ],
      b: [{ serial: ['CZC1234XYZ'], hostname: ['ilo-db-1'], ...card(2) }, { until: DAY }],
      is: 'one',
    },
    {
      case: 'the same with a plain serial of an unknown maker',
      a: [{ serial: ['SN1234567'], hostname: ['db-1'], ...card(1) }, { until: DAY }],
      b: [{ serial: ['SN1234567'], hostname: ['ilo-db-1'], ...card(2) }, { until: DAY }],
      is: 'asked',
    },
    {
      case: 'short and plain, of an unknown maker',
      a: [{ serial: ['12345A'] }],
      b: [{ serial: ['12345A'] }],
      is: 'asked',
    },
    {
      case: 'what printers have before somebody writes it',
      a: [{ serial: ['XXXXXXXXXX'], ...card(1) }],
      b: [{ serial: ['XXXXXXXXXX'], ...card(2) }],
      is: 'two',
    },
    {
      case: 'printers whose maker gave both one UUID',
      a: [{ smbios_uuid: [UUID], serial: ['VNB3K12345'], ...card(1) }, { vendor: 'HP' }],
      b: [{ smbios_uuid: [UUID], serial: ['VNB3K99999'], ...card(2) }, { vendor: 'HP' }],
      is: 'asked',
    },
    {
      case: 'the mainboard exchanged: the disk stays, with key, machine id and name',
      a: [
        { serial: ['PF0ABC12'], smbios_uuid: [UUID], agent_key: ['k'], machine_id: ['a1'], ...card(1) },
        day(0, 3),
      ],
      b: [
        { serial: ['PF0XYZ99'], smbios_uuid: [OTHER_UUID], agent_key: ['k'], machine_id: ['a1'], ...card(2) },
        day(4, 9),
      ],
      is: 'asked',
    },
    {
      case: 'the board exchanged by one without a serial, the chassis has its own',
      a: [{ serial: ['PF0ABC12'], machine_id: ['a1'], ...card(1) }, day(0, 3)],
      b: [{ serial: ['PF0ABC12'], machine_id: ['a1'], ...card(2) }, day(4, 9)],
      is: 'one',
    },
  ],
  'a guest and its clones': [
    {
      case: 'both there: UUID, machine id, host key and name are the template’s',
      a: [
        {
          smbios_uuid: [UUID],
          machine_id: ['a1'],
          ssh_host_key: [KEYS.k],
          hostname: ['golden'],
          mac: ['00:50:56:9a:00:01'],
          ip: ['10.1.0.1'],
        },
      ],
      b: [
        {
          smbios_uuid: [UUID],
          machine_id: ['a1'],
          ssh_host_key: [KEYS.k],
          hostname: ['golden'],
          mac: ['00:50:56:9a:00:02'],
          ip: ['10.1.0.2'],
        },
      ],
      is: 'asked',
    },
    {
      case: 'nobody saw a network card, two addresses',
      a: [{ machine_id: ['a1'], ssh_host_key: [KEYS.k], hostname: ['golden'], ip: ['10.1.0.1'] }],
      b: [{ machine_id: ['a1'], ssh_host_key: [KEYS.k], hostname: ['golden'], ip: ['10.1.0.2'] }],
      is: 'asked',
    },
    {
      case: 'a node of Kubernetes and the next of its image',
      a: [
        {
          machine_id: ['a1'],
          hostname: ['node-1'],
          mac: ['ee:ee:ee:ee:ee:ee', '00:25:90:10:00:01'],
          ip: ['10.1.0.1'],
        },
      ],
      b: [
        {
          machine_id: ['a1'],
          hostname: ['node-2'],
          mac: ['ee:ee:ee:ee:ee:ee', '00:25:90:10:00:02'],
          ip: ['10.1.0.2'],
        },
      ],
      is: 'asked',
      late: [[{ machine_id: ['a1'], hostname: ['node-3'], ...card(3) }], 'asked'],
    },
    {
      case: 'moved to another host of the hypervisor',
      a: [{ smbios_uuid: [UUID], mac: ['00:50:56:9a:00:01'], ip: ['10.1.0.1'] }, day(0, 1)],
      b: [{ smbios_uuid: [UUID], mac: ['00:50:56:9a:00:01'], ip: ['10.1.0.1'] }, day(1, 2)],
      is: 'one',
    },
  ],
}
