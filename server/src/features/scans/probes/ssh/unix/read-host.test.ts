import { expect, test } from 'vitest'
import { accountsIn, containersIn, listeningIn, servicesIn } from './read-activity.ts'
import { interfacesIn, own } from './read-network.ts'
import { disksIn, fileSystemsIn } from './read-storage.ts'
import { bootIn, cpuIn, hardwareIn, memoryIn, natureIn, releaseIn } from './read-system.ts'

/**
 * What systems that cannot run here answer, in the forms that their manual pages and documentation print: sw_vers(1),
 * ioreg(8), ifconfig(8), netstat(1), sockstat(1), diskutil(8), kenv(1), sysctl(8).
 */
test.each([
  [
    'macOS',
    'Darwin',
    'ProductName:\t\tmacOS\nProductVersion:\t\t14.4.1\nBuildVersion:\t\t23E224\n',
    { id: 'macos', versionId: '14.4.1', prettyName: 'macOS 14.4.1' },
  ],
  [
    'FreeBSD',
    'FreeBSD',
    '14.0-RELEASE-p5\n',
    { id: 'freebsd', versionId: '14.0', prettyName: 'FreeBSD 14.0-RELEASE-p5' },
  ],
  [
    'CentOS 6',
    'Linux',
    'CentOS release 6.10 (Final)\n',
    { id: 'centos', versionId: '6.10', prettyName: 'CentOS release 6.10 (Final)' },
  ],
  [
    'RHEL 6',
    'Linux',
    'Red Hat Enterprise Linux Server release 6.10 (Santiago)\n',
    { id: 'rhel', versionId: '6.10', prettyName: 'Red Hat Enterprise Linux Server release 6.10 (Santiago)' },
  ],
  [
    'Alpine',
    'Linux',
    'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.19.1\nPRETTY_NAME="Alpine Linux v3.19"\n',
    { id: 'alpine', versionId: '3.19.1', prettyName: 'Alpine Linux v3.19' },
  ],
  [
    'Rocky',
    'Linux',
    'ID="rocky"\nVERSION_ID="8.9"\nPRETTY_NAME="Rocky Linux 8.9 (Green Obsidian)"\n',
    { id: 'rocky', versionId: '8.9', prettyName: 'Rocky Linux 8.9 (Green Obsidian)' },
  ],
  [
    'openSUSE',
    'Linux',
    "ID='opensuse-leap'\nVERSION_ID='15.5'\nPRETTY_NAME='openSUSE Leap 15.5'\n",
    { id: 'opensuse-leap', versionId: '15.5', prettyName: 'openSUSE Leap 15.5' },
  ],
  [
    'Arch',
    'Linux',
    'NAME="Arch Linux"\nPRETTY_NAME="Arch Linux"\nID=arch\nBUILD_ID=rolling\n',
    { id: 'arch', versionId: '', prettyName: 'Arch Linux' },
  ],
])('system: %s', (_, system, text, release) => {
  expect(releaseIn(text, { system, kernel: '1.2' })).toEqual({ ...release, kernel: '1.2' })
})

test('hardware as each system reports it', () => {
  expect(
    hardwareIn(
      'sys_vendor=Dell Inc.\nproduct_name=PowerEdge R740\nproduct_serial=ABC1234\nproduct_uuid=4c4c4544-0042-1234-8051-b1c04f343233\nbios_version=2.19.1\n',
    ),
  ).toEqual({
    vendor: 'Dell Inc.',
    model: 'PowerEdge R740',
    serial: 'ABC1234',
    uuid: '4c4c4544-0042-1234-8051-b1c04f343233',
    bios: '2.19.1',
  })
  expect(
    hardwareIn(
      '+-o J314sAP  <class IOPlatformExpertDevice>\n    {\n      "manufacturer" = <"Apple Inc.">\n      "model" = <"MacBookPro18,3">\n      "IOPlatformUUID" = "5A1B2C3D-0000-1111-2222-333344445555"\n      "IOPlatformSerialNumber" = "C02XXXXXXXXX"\n    }\n',
    ),
  ).toEqual({
    vendor: 'Apple Inc.',
    model: 'MacBookPro18,3',
    uuid: '5A1B2C3D-0000-1111-2222-333344445555',
    serial: 'C02XXXXXXXXX',
  })
  expect(
    hardwareIn(
      'kern.hostuuid: 44454c4c-4200-1234\nsmbios.system.maker="Supermicro"\nsmbios.system.product="X11"\nsmbios.system.serial="S123"\nsmbios.system.uuid="44454c4c-4200-1234"\n',
    ),
  ).toMatchObject({ vendor: 'Supermicro', model: 'X11', serial: 'S123', uuid: '44454c4c-4200-1234' })
  expect(hardwareIn('hw.vendor=LENOVO\nhw.product=20HR\nhw.serialno=PF0\nhw.uuid=aa-bb\n')).toMatchObject({
    vendor: 'LENOVO',
    model: '20HR',
    serial: 'PF0',
  })
})

test('machine, virtual machine, hypervisor or container', () => {
  const real = { isGuest: false }
  const nature = (text: string, hardware = {}, cpu = real) => natureIn(text, hardware, cpu)
  expect(nature('detect=none')).toEqual({ type: 'device', isContainer: false })
  expect(nature('detect=kvm')).toEqual({ type: 'virtual_machine', by: 'kvm', isContainer: false })
  expect(nature('detect=docker')).toEqual({ by: 'docker', isContainer: true })
  expect(nature('detect=lxc')).toEqual({ type: 'virtual_machine', by: 'lxc', isContainer: true })
  expect(nature('', { vendor: 'VMware, Inc.' })).toEqual({ type: 'virtual_machine', isContainer: false })
  expect(nature('', {}, { isGuest: true })).toEqual({ type: 'virtual_machine', isContainer: false })
  expect(nature('detect=none\nrole=hypervisor')).toEqual({ type: 'hypervisor', isContainer: false })
  expect(nature('detect=none\nrole=perhaps')).toEqual({ isContainer: false })
  expect(nature('guest=bhyve')).toEqual({ type: 'virtual_machine', by: 'bhyve', isContainer: false })
  expect(nature('guest=1')).toMatchObject({ type: 'virtual_machine', by: 'apple' })
})

test('processors, memory and start', () => {
  expect(cpuIn('8\nmodel name\t: Intel(R) Xeon(R)\nhypervisor\n')).toEqual({
    count: 8,
    model: 'Intel(R) Xeon(R)',
    isGuest: true,
  })
  expect(cpuIn('10\nApple M1 Pro\n')).toEqual({ count: 10, model: 'Apple M1 Pro', isGuest: false })
  expect(memoryIn('17179869184\n')).toBe(17_179_869_184)
  expect(bootIn('{ sec = 1709000000, usec = 123456 } Tue Feb 27')?.toISOString()).toBe(
    '2024-02-27T02:13:00.000Z',
  )
})

test('interfaces of macOS, BSD and old Linux', () => {
  const macos = `lo0: flags=8049<UP,LOOPBACK,RUNNING,MULTICAST> mtu 16384
\tinet 127.0.0.1 netmask 0xff000000
en0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500
\tether a4:83:e7:00:11:22
\tinet6 fe80::10e8:1234%en0 prefixlen 64 secured scopeid 0xb
\tinet 192.168.1.23 netmask 0xffffff00 broadcast 192.168.1.255
`
  expect(interfacesIn(macos)[1]).toEqual({
    name: 'en0',
    mac: 'a4:83:e7:00:11:22',
    isUp: true,
    mtu: 1500,
    addresses: [
      { ip: 'fe80::10e8:1234', prefix: 64, isLeased: false },
      { ip: '192.168.1.23', prefix: 24, isLeased: false },
    ],
  })
  const openbsd =
    'em0: flags=8843<UP,BROADCAST> mtu 1500\n\tlladdr 00:0c:29:aa:bb:cc\n\tinet 10.0.0.9 netmask 0xffffff00 broadcast 10.0.0.255\n'
  expect(interfacesIn(openbsd)).toMatchObject([
    { mac: '00:0c:29:aa:bb:cc', addresses: [{ ip: '10.0.0.9', prefix: 24 }] },
  ])
  const old = `eth0      Link encap:Ethernet  HWaddr 00:16:3E:01:02:03
          inet addr:10.1.2.3  Bcast:10.1.2.255  Mask:255.255.255.0
          inet6 addr: 2001:db8::3/64 Scope:Global
          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1
`
  expect(interfacesIn(old)).toEqual([
    {
      name: 'eth0',
      mac: '00:16:3e:01:02:03',
      isUp: true,
      mtu: 1500,
      addresses: [
        { ip: '10.1.2.3', prefix: 24, isLeased: false },
        { ip: '2001:db8::3', prefix: 64, isLeased: false },
      ],
    },
  ])
})

test('interfaces that software made do not stand for the machine', () => {
  const named = (name: string) => ({ name, addresses: [], isUp: true })
  const all = [
    'lo',
    'eth0',
    'docker0',
    'br-1a2b',
    'veth12',
    'virbr0',
    'bond0',
    'wlan0',
    'en0',
    'utun3',
    'eth1.100',
  ].map(named)
  expect(own(all, new Set()).map(({ name }) => name)).toEqual(['eth0', 'bond0', 'wlan0', 'en0', 'eth1.100'])
  expect(own([named('dummy0')], new Set(['dummy0']))).toHaveLength(1)
})

test('disks and file systems of other systems', () => {
  expect(
    disksIn(
      '/dev/disk0 (internal, physical):\n   0:      GUID_partition_scheme                        *500.3 GB   disk0\n',
    ),
  ).toEqual([{ name: 'disk0', bytes: 500_300_000_000 }])
  expect(disksIn('ada0 ada1 cd0\n').map(({ name }) => name)).toEqual(['ada0', 'ada1', 'cd0'])
  const df =
    'Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/disk3s1s1 971350180 9000000 500000000 2% /\ndevfs 200 200 0 100% /dev\n//nas/My Share 1000 10 990 1% /Volumes/My Share\n'
  const mounts = '/dev/disk3s1s1 on / (apfs, sealed, local)\ndevfs on /dev (devfs, local)\n'
  expect(fileSystemsIn(df, mounts)).toEqual([
    { mount: '/', device: '/dev/disk3s1s1', kind: 'apfs', bytes: 971_350_180 * 1024, used: 9_000_000 * 1024 },
    { mount: '/Volumes/My Share', device: '//nas/My Share', bytes: 1_024_000, used: 10_240 },
  ])
})

test('services by every manager', () => {
  const services = (text: string) =>
    servicesIn(text).services.map(({ name, isRunning }) => `${name}${isRunning ? '' : ' (stopped)'}`)
  expect(
    services(
      'manager=systemd\ncron.service loaded active running Regular background program\n● bad.service loaded failed failed Broken\nx.service not-found inactive dead x.service\n',
    ),
  ).toEqual(['bad (stopped)', 'cron', 'x (stopped)'])
  expect(
    services(
      'manager=openrc\nRunlevel: default\n sshd                                      [  started  ]\n chronyd  [  stopped  ]\n',
    ),
  ).toEqual(['chronyd (stopped)', 'sshd'])
  expect(
    services('manager=launchd\nPID\tStatus\tLabel\n-\t0\tcom.apple.x\n412\t0\tcom.apple.Finder\n'),
  ).toEqual(['com.apple.Finder', 'com.apple.x (stopped)'])
  expect(services('manager=rcctl\nsshd\nntpd\n')).toEqual(['ntpd', 'sshd'])
  expect(services('manager=rc\n/etc/rc.d/sshd\n')).toEqual(['sshd'])
  expect(services('manager=procd\nS19dnsmasq\nK10gpio\n')).toEqual(['dnsmasq'])
})

test('ports that wait, by every tool', () => {
  const ports = (text: string) => listeningIn(text).map((it) => `${it.protocol} ${it.address} ${it.port}`)
  expect(
    ports(
      'form=netstat\ntcp        0      0 0.0.0.0:22      0.0.0.0:*       LISTEN\ntcp6 0 0 :::80 :::* LISTEN\nudp 0 0 0.0.0.0:68 0.0.0.0:*\n',
    ),
  ).toEqual(['tcp 0.0.0.0 22', 'tcp :: 80', 'udp 0.0.0.0 68'])
  expect(
    ports(
      'form=sockstat\nUSER COMMAND PID FD PROTO LOCAL FOREIGN\nroot sshd 812 4 tcp4 *:22 *:*\nroot sshd 900 5 tcp4 10.0.0.1:22 10.0.0.2:5000\n',
    ),
  ).toEqual(['tcp * 22'])
  expect(
    ports(
      'form=bsd\ntcp4 0 0 *.22 *.* LISTEN\ntcp4 0 0 10.0.0.1.22 10.0.0.2.5000 ESTABLISHED\nudp4 0 0 127.0.0.1.123 *.*\n',
    ),
  ).toEqual(['tcp * 22', 'udp 127.0.0.1 123'])
  expect(
    ports(
      'form=tcp\n  0: 0100007F:1538 00000000:0000 0A 00000000:00000000\n  1: 00000000:0016 00000000:0000 0A 0\n  2: 0100007F:0016 0100007F:9999 01 0\n',
    ),
  ).toEqual(['tcp * 22', 'tcp 127.0.0.1 5432'])
  expect(
    ports(
      'form=ss\nNetid State Recv-Q Send-Q Local Peer\ntcp LISTEN 0 128 [::]:22 [::]:*\nudp UNCONN 0 0 127.0.0.53%lo:53 0.0.0.0:*\n',
    ),
  ).toEqual(['tcp :: 22', 'udp 127.0.0.53 53'])
})

test('accounts and containers', () => {
  expect(accountsIn('root:0:0:/root:/bin/sh\n_www          70\n')).toEqual([
    { name: 'root', uid: 0, home: '/root', shell: '/bin/sh' },
    { name: '_www', uid: 70 },
  ])
  const id = '4c01db0b339c4f2ba2e4f8d5e6a7b8c9'
  const section = { text: `${id}\tnginx:1.25\tweb\tUp 2 days\t80/tcp\n`, code: 0, isCut: false }
  expect(containersIn(section)).toEqual([{ id: '4c01db0b339c', image: 'nginx:1.25', name: 'web' }])
  expect(containersIn({ ...section, code: 1 })).toEqual([])
})
