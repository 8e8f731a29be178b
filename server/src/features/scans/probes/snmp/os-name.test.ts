import { expect, test } from 'vitest'
import { osName } from './os-name.ts'

test.each([
  [
    'Cisco IOS Software, C2960X Software (C2960X-UNIVERSALK9-M), Version 15.2(2)E6, RELEASE SOFTWARE (fc1)',
    'Cisco IOS 15.2(2)E6',
  ],
  [
    'Cisco IOS Software, IOS-XE Software, Catalyst L3 Switch Software (CAT3K_CAA-UNIVERSALK9-M), Version 03.06.06E RELEASE',
    'Cisco IOS XE 03.06.06E',
  ],
  [
    'Cisco Internetwork Operating System Software\nIOS (tm) C2600 Software (C2600-IK9O3S3-M), Version 12.3(26), RELEASE',
    'Cisco IOS 12.3(26)',
  ],
  [
    'Cisco NX-OS(tm) n9000, Software (n9000-dk9), Version 7.0(3)I7(6), RELEASE SOFTWARE',
    'Cisco NX-OS 7.0(3)I7(6)',
  ],
  ['Cisco IOS XR Software (Cisco ASR9K Series),  Version 5.3.3[Default]', 'Cisco IOS XR 5.3.3'],
  ['Cisco Adaptive Security Appliance Version 9.8(2)', 'Cisco ASA 9.8(2)'],
  [
    'Juniper Networks, Inc. mx480 internet router, kernel JUNOS 17.3R3.10, Build date: 2018-08-03',
    'Junos 17.3R3.10',
  ],
  ['Arista Networks EOS version 4.16.14M running on an Arista Networks vEOS', 'Arista EOS 4.16.14M'],
  [
    'HP J9776A 2530-24G Switch, revision YA.16.02.0012, ROM YA.15.20 (/ws/swbuildm/rel)',
    'ArubaOS-Switch YA.16.02.0012',
  ],
  [
    'ProCurve J9021A Switch 2810-24G, revision N.11.75, ROM N.10.01 (/sw/code/build/bass)',
    'ArubaOS-Switch N.11.75',
  ],
  ['HPE Comware Platform Software, Software Version 7.1.059, Release R0326', 'Comware 7.1.059 Release R0326'],
  ['VMware ESXi 6.7.0 build-8169922 VMware, Inc. x86_64', 'VMware ESXi 6.7.0 build 8169922'],
  [
    'Hardware: Intel64 Family 6 - Software: Windows Version 6.3 (Build 14393 Multiprocessor Free)',
    'Windows 6.3 build 14393',
  ],
  [
    'Linux host 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01) x86_64',
    'Linux 6.1.0-18-amd64',
  ],
  ['pfSense fw.example.test 2.4.5-RELEASE FreeBSD 11.3-STABLE amd64', 'pfSense 2.4.5-RELEASE'],
  ['FreeBSD host 13.2-RELEASE FreeBSD 13.2-RELEASE GENERIC amd64', 'FreeBSD 13.2-RELEASE'],
  ['Brother NC-8700w, Firmware Ver.N', undefined],
  ['', undefined],
])('%s', (description, name) => {
  expect(osName(description)).toBe(name)
})

test('the version in the branch of the maker goes before', () => {
  expect(osName('RouterOS CCR1009', { vendor: 'MikroTik', version: '7.11.2' })).toBe('RouterOS 7.11.2')
  expect(osName('anything', { vendor: 'Fortinet', version: 'v7.2.5,build1517' })).toBe(
    'FortiOS 7.2.5,build1517',
  )
})

test('a long text is read in time that grows with its length', () => {
  const hostile = `Cisco IOS Software ${'Version '.repeat(20_000)}`
  expect(osName(hostile)).toBe('Cisco IOS Version')
})
