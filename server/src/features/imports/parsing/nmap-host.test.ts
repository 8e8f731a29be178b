import { describe, expect, test } from 'vitest'
import { hostObservation, PORTS_LENGTH_MAX, wrongWithHost } from './nmap-host.ts'
import { parseElement } from '#platform/formats/xml-tree.ts'

const runStart = new Date('2026-11-20T23:56:52Z')
const host = (inside: string, attributes = '') =>
  parseElement(`<host ${attributes}><status state="up" reason="arp-response"/>${inside}</host>`)
const IP = '<address addr="10.77.0.70" addrtype="ipv4"/>'
const MAC = '<address addr="3C:2A:F4:12:34:56" addrtype="mac" vendor="Brother Industries"/>'
const observe = (inside: string, attributes?: string) => hostObservation(host(inside, attributes), runStart)

describe('what the host is called', () => {
  test('its addresses make its key', () => {
    expect(observe(IP + MAC)).toMatchObject({
      sourceKey: '10.77.0.70|3c:2a:f4:12:34:56',
      identifiers: [
        { type: 'mac', value: '3C:2A:F4:12:34:56' },
        { type: 'ip', value: '10.77.0.70' },
      ],
      facts: { macVendor: 'Brother Industries' },
    })
    expect(observe(IP)).toMatchObject({ sourceKey: '10.77.0.70|' })
    expect(observe('<address addr="FE80:0::1" addrtype="ipv6"/>')).toMatchObject({ sourceKey: 'fe80::1|' })
  })

  test('names of the DNS belong to the address, names of its own to the machine', () => {
    const observed = observe(
      `${IP}<hostnames><hostname name="dhcp-70.example.test" type="PTR"/><hostname name="10.77.0.70" type="user"/></hostnames>
      <ports><port protocol="tcp" portid="445"><state state="open"/><service name="smb" hostname="FILESRV-2"/></port></ports>
      <hostscript>
        <script id="smb-os-discovery" output="">
          <elem key="os">Windows 6.1</elem><elem key="lanmanager">Samba 4.17.12-Debian</elem>
          <elem key="server">FILESRV-2\\x00</elem>
        </script>
        <script id="nbstat" output="NetBIOS name: FILESRV-2, NetBIOS user: &lt;unknown&gt;, NetBIOS MAC: 000000000000 (Xerox)&#xa;"/>
      </hostscript>`,
    )
    expect(observed).toMatchObject({
      name: 'FILESRV-2',
      identifiers: [
        { type: 'hostname', value: 'FILESRV-2' },
        { type: 'ptr_name', value: 'dhcp-70.example.test' },
        { type: 'ip', value: '10.77.0.70' },
      ],
    })
    expect(observed).not.toHaveProperty('os')
  })

  test('its SSH keys, in the form of ssh-keygen', () => {
    const script = `<script id="ssh-hostkey" output=""><table><elem key="type">ssh-ed25519</elem>
      <elem key="key">AAAAC3NzaC1lZDI1NTE5AAAAIAEB9qTynnz76azEvpu6NC1iRFkrFkmQZDW2XhxGzOs2</elem></table>
      <table><elem key="type">ssh-rsa</elem></table></script>`
    const observed = observe(`${IP}<ports><port portid="22">${script}</port></ports>`)
    expect(observed?.identifiers).toContainEqual({
      type: 'ssh_host_key',
      value: 'SHA256:AYWyy2PE4xOODbu86ui55QEQCOb8HRT9sKousXK4xug',
    })
  })
})

describe('when it was seen', () => {
  test.each([
    ['starttime="1795218967" endtime="1795218979"', '2026-11-20T23:56:19.000Z'],
    ['starttime="1795218967"', '2026-11-20T23:56:07.000Z'],
    ['', runStart.toISOString()],
    ['endtime="soon"', runStart.toISOString()],
    ['endtime="1e300"', runStart.toISOString()],
  ])('%s', (attributes, seen) => {
    expect(observe(IP, attributes)?.seenAt.toISOString()).toBe(seen)
  })
})

describe('its system', () => {
  const match = (name: string, accuracy: number) =>
    `<osmatch name="${name}" accuracy="${accuracy}"><osclass type="switch"/></osmatch>`
  const smb = (lanmanager: string) =>
    `<hostscript><script id="smb-os-discovery"><elem key="os">Windows Server 2016 Standard 14393</elem><elem key="lanmanager">${lanmanager}</elem></script></hostscript>`
  const banner =
    '<ports><port portid="22"><state state="open"/><service name="ssh" ostype="Linux"/></port></ports>'

  test.each([
    ['an exact match', `<os>${match('Cisco IOS 15.0', 100)}</os>${banner}`, 'Cisco IOS 15.0'],
    ['a guess gives way to what a service says', `<os>${match('AXIS camera', 96)}</os>${banner}`, 'Linux'],
    ['a guess alone is none', `<os>${match('AXIS camera', 96)}</os>`, undefined],
    [
      'what Windows says of itself',
      `${smb('Windows Server 2016 6.3')}${banner}`,
      'Windows Server 2016 Standard 14393',
    ],
    ['Samba is no Windows', `${smb('Samba 4.17')}${banner}`, 'Linux'],
  ])('%s', (_, inside, os) => {
    expect(observe(IP + inside)?.os).toBe(os)
  })

  test('a guess is kept for people', () => {
    expect(observe(`${IP}<os>${match('AXIS camera', 96)}${match('Linux 3', 95)}</os>`)?.facts).toEqual({
      osGuess: 'AXIS camera (96 %)',
      deviceType: 'switch',
    })
  })
})

describe('its ports', () => {
  test('the open ones with what answers there', () => {
    const ports = `<ports><extraports state="closed" count="997"/>
      <port protocol="tcp" portid="22"><state state="open"/>
        <service name="ssh" product="OpenSSH" version="9.2p1 Debian 2+deb12u10" extrainfo="protocol 2.0"><cpe>cpe:/a:openbsd:openssh:9.2p1</cpe></service>
        <script id="banner" output="SSH-2.0-OpenSSH_9.2p1"/><script id="constructor" output="x"/></port>
      <port protocol="tcp" portid="80"><state state="closed"/><service name="http"/></port>
      <port protocol="udp" portid="161"><state state="open"/>
        <script id="snmp-sysdescr" output="Cisco IOS Software&#xa;  System uptime: 80d16h40m22.57s (697202257 timeticks)"/></port></ports>`
    expect(observe(IP + ports)?.facts).toEqual({
      openPorts: 2,
      ports: [
        {
          port: 22,
          protocol: 'tcp',
          service: 'ssh',
          product: 'OpenSSH',
          version: '9.2p1 Debian 2+deb12u10',
          extra: 'protocol 2.0',
          cpe: 'cpe:/a:openbsd:openssh:9.2p1',
          banner: 'SSH-2.0-OpenSSH_9.2p1',
        },
        { port: 161, protocol: 'udp', description: 'Cisco IOS Software' },
      ],
    })
  })

  test('a host that answers on all of them is counted, and listed as far as there is room', () => {
    const port = `<port protocol="tcp" portid="1"><state state="open"/><service name="${'x'.repeat(300)}"/></port>`
    const facts = observe(`${IP}<ports>${port.repeat(10_000)}</ports>`)?.facts
    expect(facts?.openPorts).toBe(10_000)
    expect(JSON.stringify(facts?.ports).length).toBeLessThanOrEqual(PORTS_LENGTH_MAX + 2)
    expect(facts?.ports).toHaveLength(144)
  })
})

test('a host that is down is none', () => {
  const down = parseElement(`<host><status state="down"/>${IP}</host>`)
  expect(wrongWithHost(down)).toBeUndefined()
  expect(hostObservation(down, runStart)).toBeUndefined()
})

test.each([
  ['<host/>', 'has no status'],
  ['<host><status state="up"/></host>', 'has no address'],
  [
    '<host><status state="up"/><address addr="10.0.0.256"/></host>',
    'has an address that is none: "10.0.0.256"',
  ],
])('%s %s', (text, why) => {
  expect(wrongWithHost(parseElement(text))).toBe(why)
})
