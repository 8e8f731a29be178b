import { expect, test } from 'vitest'
import { recognize, type Signals } from '../recognition.ts'
import { signalsIn } from './fingerprints.ts'
import { makerSaidIn } from './maker-fields.ts'

test.each([
  // IEEE 1284, DNS-SD, UPnP: who fills in the field is believed, known or not.
  ['pjl', 'MFG:Nordwerk;MDL:PX 77;CMD:PCL;', 'Nordwerk'],
  ['mdns', 'usb_MFG=Nordwerk Druck', 'Nordwerk Druck'],
  ['ssdp', '<manufacturer>Nordwerk GmbH</manufacturer>', 'Nordwerk GmbH'],
  ['http', '{"manufacturer": "Hewlett Packard Enterprise"}', 'Hewlett Packard Enterprise'],
  // Nobody filled it in.
  ['ssdp', '<manufacturer>To be filled by O.E.M.</manufacturer>', ''],
  ['mdns', 'manufacturer=unknown', ''],
  // A certificate's organization is believed of makers of network devices only: others buy and operate them.
  ['tls', 'CN=10.1.2.3, O=Loytec electronics GmbH, C=AT', 'Loytec'],
  ['tls', '/C=DE/O=1.A Connect GmbH/CN=gw', '1.A Connect GmbH'],
  ['tls', 'CN=shop.example, O=Bakery of the Old Town Ltd, C=GB', ''],
  ['tls', 'OU=Kyocera, CN=x', ''],
  // A company's name with its legal form, where somebody of that very name makes devices.
  ['telnet', 'Copyright (c) 2009 1000eyes GmbH. All rights reserved.', '1000eyes GmbH'],
  ['snmp_sysdescr', 'Gateway 3, made for Bakery Of Old Town Ltd', ''],
  // What people chose, and pictures, name nobody.
  ['title', 'Copyright (c) 2009 1000eyes GmbH', ''],
  ['hostname', 'manufacturer=Nordwerk', ''],
] as const)('%s "%s" is made by "%s"', (source, text, maker) => {
  expect(makerSaidIn(source, text, false)).toBe(maker)
})

test.each([
  ['Nordwerk', 'Nordwerk'],
  ['Siemens Schweiz AG', 'Siemens'],
  ['Vendor Name', ''],
  ['https://nordwerk.example', ''],
  ['20240101', ''],
])('a field that holds the maker, with "%s", says "%s"', (text, maker) => {
  expect(makerSaidIn('industrial', text, true)).toBe(maker)
})

const said: [Signals, object][] = [
  [signalsIn({ bacnet: { vendorId: 24, model: 'X7' } }), { vendor: 'Automated Logic' }],
  [signalsIn({ bacnet: { vendorId: 65_535 } }), { vendor: '', deviceType: 'unknown' }],
  [
    signalsIn({ modbus: { vendor: 'Nordwerk', productCode: 'NW 34' } }),
    { vendor: 'Nordwerk', deviceType: 'unknown' },
  ],
  // A maker whom we know goes before a name that we do not, and that before who registered the address.
  [
    signalsIn({ bacnet: { vendor: 'Nordwerk' }, modbus: { vendor: 'Schneider Electric' } }),
    { vendor: 'Schneider Electric' },
  ],
  [{ ...signalsIn({ bacnet: { vendor: 'Nordwerk' } }), mac: '00:00:0C:00:00:01' }, { vendor: 'Nordwerk' }],
  // The number alone says nothing; beside its maker's name it does.
  [signalsIn({ upnp: { modelName: 'EX4300' } }), { deviceType: 'unknown' }],
  [
    signalsIn({ upnp: { manufacturer: 'Juniper Networks', modelName: 'EX4300' } }),
    { vendor: 'Juniper', deviceType: 'switch' },
  ],
]
test.each(said)('%o is %o', (signals, answer) => {
  expect(recognize(signals)).toMatchObject(answer)
})
