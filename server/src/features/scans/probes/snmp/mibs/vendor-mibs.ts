import type { Source } from './table.ts'
import { line } from '../protocol/textual-conventions.ts'

/** Values from vendors' private MIBs, where the standard MIBs have none or are vague. */
export interface Own {
  readonly vendor?: string
  readonly model?: string
  readonly serial?: string
  readonly version?: string
}

interface Maker {
  readonly vendor: string
  /** Beginnings of the sysObjectID below 1.3.6.1.4.1 for which its questions are asked. */
  readonly branches: readonly string[]
  /** Instances below 1.3.6.1.4.1; of several, the first that answers. */
  readonly serial?: readonly string[]
  readonly model?: readonly string[]
  readonly version?: readonly string[]
}

/** net-snmp as it comes: makers of small machines leave its own id in place. */
const NET_SNMP = '8072.3.2'
const UCD = '2021.250'

const makers: readonly Maker[] = [
  {
    vendor: 'Cisco',
    branches: ['9', '14179'],
    serial: ['9.3.6.3.0', '9.5.1.2.19.0', '14179.1.1.1.4.0'],
    model: ['9.5.1.2.16.0', '14179.1.1.1.3.0'],
  },
  {
    vendor: 'HP',
    branches: ['11.2.3.7', '11.2.14', '11.10'],
    serial: ['11.2.36.1.1.2.9.0', '11.2.36.1.1.5.1.1.10.1'],
    model: ['11.2.36.1.1.5.1.1.9.1'],
  },
  {
    vendor: 'HP',
    branches: ['11.2.3.9'],
    serial: ['11.2.3.9.4.2.1.1.3.3.0'],
    model: ['11.2.3.9.4.2.1.1.3.2.0'],
  },
  { vendor: 'HPE', branches: ['232'], serial: ['232.2.2.2.1.0'], model: ['232.2.2.4.2.0'] },
  {
    vendor: 'Aruba',
    branches: ['14823'],
    serial: ['14823.2.2.1.2.1.29.0'],
    model: ['14823.2.2.1.2.1.3.0'],
    version: ['14823.2.2.1.2.1.28.0'],
  },
  { vendor: 'Juniper', branches: ['2636'], serial: ['2636.3.1.3.0'], model: ['2636.3.1.2.0'] },
  {
    vendor: 'APC',
    branches: ['318'],
    serial: ['318.1.1.1.1.2.3.0', '318.1.1.12.1.6.0'],
    model: ['318.1.1.1.1.1.1.0', '318.1.1.12.1.5.0'],
    version: ['318.1.1.1.1.2.1.0', '318.1.1.12.1.3.0'],
  },
  {
    vendor: 'Eaton',
    branches: ['534'],
    serial: ['534.1.1.6.0'],
    model: ['534.1.1.2.0'],
    version: ['534.1.1.3.0'],
  },
  {
    vendor: 'Synology',
    branches: ['6574', NET_SNMP],
    serial: ['6574.1.5.2.0'],
    model: ['6574.1.5.1.0'],
    version: ['6574.1.5.3.0'],
  },
  {
    vendor: 'QNAP',
    branches: ['24681', '55062', NET_SNMP],
    serial: ['24681.1.4.1.1.1.1.1.2.1.4.1'],
    model: ['24681.1.4.1.1.1.1.1.2.1.3.1', '24681.1.2.12.0'],
  },
  { vendor: 'Fortinet', branches: ['12356'], serial: ['12356.100.1.1.1.0'], version: ['12356.101.4.1.1.0'] },
  {
    vendor: 'MikroTik',
    branches: ['14988'],
    serial: ['14988.1.1.7.3.0'],
    model: ['14988.1.1.7.8.0'],
    version: ['14988.1.1.4.4.0'],
  },
  {
    vendor: 'Ubiquiti',
    branches: ['41112', '10002', '4413', NET_SNMP],
    serial: ['4413.1.1.1.1.1.4.0'],
    model: ['41112.1.6.3.3.0', '4413.1.1.1.1.1.3.0'],
    version: ['41112.1.6.3.6.0'],
  },
  {
    vendor: 'Dell',
    branches: ['674.10892'],
    serial: ['674.10892.5.1.3.2.0'],
    model: ['674.10892.5.1.3.12.0'],
  },
  {
    vendor: 'Palo Alto Networks',
    branches: ['25461'],
    serial: ['25461.2.1.2.1.3.0'],
    version: ['25461.2.1.2.1.1.0'],
  },
  {
    vendor: 'Check Point',
    branches: ['2620', NET_SNMP],
    serial: ['2620.1.6.16.3.0'],
    model: ['2620.1.6.16.7.0'],
  },
  {
    vendor: 'F5',
    branches: ['3375'],
    serial: ['3375.2.1.3.3.3.0'],
    model: ['3375.2.1.3.5.2.0'],
    version: ['3375.2.1.4.2.0'],
  },
  { vendor: 'NetApp', branches: ['789'], serial: ['789.1.1.9.0'], model: ['789.1.1.5.0'] },
  { vendor: 'Netgear', branches: ['4526'], serial: ['4526.10.1.1.1.4.0'], model: ['4526.10.1.1.1.3.0'] },
  { vendor: 'Brocade', branches: ['1991', '1588'], serial: ['1991.1.1.1.1.2.0', '1588.2.1.1.1.1.10.0'] },
  { vendor: 'VMware', branches: ['6876'], model: ['6876.1.1.0'], version: ['6876.1.2.0'] },
  { vendor: 'Brother', branches: ['2435'], serial: ['2435.2.3.9.4.2.1.5.5.1.0'] },
  { vendor: 'Xerox', branches: ['253'], serial: ['253.8.53.3.2.1.3.1'] },
  { vendor: 'Ricoh', branches: ['367'], serial: ['367.3.2.1.2.1.4.0'] },
]

const ENTERPRISES = '1.3.6.1.4.1.'
const FIELDS = ['serial', 'model', 'version'] as const

/** What the makers whose branch the device names itself after ask of their own. */
export async function readOwn(source: Source, objectId = ''): Promise<Own> {
  const asked = makers.filter(({ branches }) => branches.some((branch) => isWithin(objectId, branch)))
  for (const maker of asked) {
    const own = await askMaker(source, maker)
    if (Object.keys(own).length > 0) return { vendor: maker.vendor, ...own }
  }
  return {}
}

/** Linux machines of which no maker is known answer all that sell boxes with net-snmp inside. */
function isWithin(objectId: string, branch: string): boolean {
  const id = objectId.replace(`${ENTERPRISES}${UCD}`, `${ENTERPRISES}${NET_SNMP}`)
  return `${id}.`.startsWith(`${ENTERPRISES}${branch}.`)
}

async function askMaker(source: Source, maker: Maker): Promise<Own> {
  const oids = FIELDS.flatMap((field) =>
    (maker[field] ?? []).map((end) => [`${field} ${end}`, ENTERPRISES + end]),
  )
  const cells = await source.scalars(maker.vendor, Object.fromEntries(oids) as Record<string, string>)
  const reported = FIELDS.flatMap((field) => {
    const values = (maker[field] ?? []).map((end) => line(cells[`${field} ${end}`]))
    const first = values.find((it) => it !== undefined)
    return first === undefined ? [] : [[field, first]]
  })
  return Object.fromEntries(reported) as Own
}
