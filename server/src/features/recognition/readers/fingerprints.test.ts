import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signalsIn } from './fingerprints.ts'
import { signalsOf } from './observation-signals.ts'

const text = (source: string, words: string) => ({ texts: [{ source, text: words }] })

test.each([
  [{ snmp: { sysDescr: 'Linux' } }, text('snmp_sysdescr', 'Linux')],
  [{ 'snmp.sys_description': 'Linux' }, text('snmp_sysdescr', 'Linux')],
  [{ snmp_sysdescr: 'Linux' }, text('snmp_sysdescr', 'Linux')],
  [{ http: { headers: { 'WWW-Authenticate': 'Basic' } } }, text('http', 'Basic')],
  [{ 'http_header.server': 'nginx' }, text('http', 'nginx')],
  [{ htmlTitle: 'Login' }, text('title', 'Login')],
  [{ tls: [{ certificate: { subject: { CN: 'x' } } }] }, text('tls', 'x')],
  [{ 'mdns.device-info.txt': 'model=MacPro' }, text('mdns', 'model=MacPro')],
  [{ 'hp.pjl_id': 'HYDRA' }, text('pjl', 'HYDRA')],
  [{ dhcp_vendor_class: 'MSFT 5.0' }, text('dhcp', 'MSFT 5.0')],
  [
    { protocol: 'ssh', payload: 'SSH-2.0-x' },
    {
      texts: [
        { source: 'ssh', text: 'ssh' },
        { source: 'ssh', text: 'SSH-2.0-x' },
      ],
    },
  ],
  [{ something: 'x' }, text('banner', 'x')],
  [{ sysObjectID: '1.3.6.1.4.1.9' }, { sysObjectId: '1.3.6.1.4.1.9' }],
  [
    { vendor: 'HP', Model: 'M477', host_name: 'p1' },
    { vendor: 'HP', model: 'M477', hostname: 'p1' },
  ],
  [{ ports: [22, '9100/tcp'] }, { ports: [22, 9100] }],
  [{ open_ports: '80, 443' }, { ports: [80, 443] }],
  [{ ports: [{ port: 22, banner: 'SSH-2.0' }] }, { ports: [22], ...text('banner', 'SSH-2.0') }],
  [{ ports: { '631': 'CUPS' } }, { ports: [631], ...text('banner', 'CUPS') }],
  [{ dhcp: { option_55: [1, 3, 6] } }, { dhcpOptions: [1, 3, 6] }],
  [{ parameterRequestList: '1,3,6' }, { dhcpOptions: [1, 3, 6] }],
  [{ mac_address: '00:1b:44:11:3a:b7' }, { mac: '00:1b:44:11:3a:b7' }],
  // What one list calls a vendor's number is not another's.
  [{ bacnet: { vendor_id: 5, instance: 100 } }, { bacnetVendor: 5 }],
  [{ 'bacnet.vendorIdentifier': '24' }, { bacnetVendor: 24 }],
  [{ enip: { vendor_id: 5 } }, {}],
  // A field that holds the maker's name, and the product beside it.
  [
    { modbus: { vendor: 'Nordwerk', productCode: 'NW 34' } },
    {
      texts: [
        { source: 'industrial', text: 'Nordwerk', isMaker: true },
        { source: 'industrial', text: 'NW 34' },
        { source: 'industrial', text: 'Nordwerk NW 34' },
      ],
    },
  ],
  [
    { upnp: [{ manufacturer: 'A' }, { modelName: 'B1' }] },
    {
      texts: [
        { source: 'ssdp', text: 'A', isMaker: true },
        { source: 'ssdp', text: 'B1' },
      ],
    },
  ],
  [{}, {}],
  [{ a: {}, b: [], c: null, d: true, e: ' ' }, {}],
])('%o is read as %o', (fingerprint, signals) => {
  expect(signalsIn(fingerprint, 'banner')).toEqual(signals)
})

test('keys that say nothing are passed over unless something is made of them', () => {
  expect(signalsIn({ notes: 'next to the printer' })).toEqual({})
})

test('property: any JSON is read, and no more of it than is bounded', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (fingerprint) => {
      const { texts = [], ports = [] } = signalsIn(fingerprint, 'banner')
      expect(texts.length).toBeLessThanOrEqual(256)
      expect(ports.every((port) => port > 0 && port <= 65_535)).toBe(true)
    }),
  )
})

test('a wide and a deep fingerprint end', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 'x']))
  expect(signalsIn(wide, 'banner').texts).toHaveLength(256)
  let deep: unknown = 'x'
  for (let level = 0; level < 5_000; level++) deep = { deep }
  expect(signalsIn({ deep }, 'banner')).toEqual({})
})

test('an observation gives its identifiers, its hints and what the device said', () => {
  expect(
    signalsOf({
      identifiers: [
        { type: 'mac', value: '00:40:8C:12:34:56' },
        { type: 'ip', value: '192.0.2.7' },
        { type: 'hostname', value: 'cam-7' },
        { type: 'serial', value: 'X1' },
      ],
      vendor: 'AXIS',
      os: 'Linux',
      facts: {
        openPorts: 12,
        ports: [{ port: 554, banner: 'RTSP/1.0' }],
        macVendor: 'Axis',
        notes: 'printer',
      },
    }),
  ).toEqual({
    mac: '00:40:8C:12:34:56',
    ip: '192.0.2.7',
    hostname: 'cam-7',
    vendor: 'AXIS',
    ports: [554],
    texts: [
      { source: 'banner', text: 'RTSP/1.0' },
      { source: 'os', text: 'Linux' },
    ],
  })
})
