import { expect, test } from 'vitest'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import { operatingSystemOf } from './operating-system.ts'

test.each([
  ['Microsoft Windows Server 2019 Standard', 'windows', 'windows server', '2019'],
  ['Windows Server 2012 R2 Datacenter', 'windows', 'windows server', '2012 r2'],
  ['Microsoft Windows 11 Pro 23H2', 'windows', 'windows', '11'],
  ['Debian GNU/Linux 12 (bookworm)', 'linux', 'debian', '12'],
  ['Ubuntu 22.04.3 LTS', 'linux', 'ubuntu', '22.04.3'],
  ['Red Hat Enterprise Linux Server release 7.9 (Maipo)', 'linux', 'red hat enterprise linux', '7.9'],
  ['Rocky Linux 9.3 (Blue Onyx)', 'linux', 'rocky linux', '9.3'],
  ['Alpine Linux v3.19', 'linux', 'alpine linux', '3.19'],
  ['Linux 5.15.0-105-generic', 'linux', 'linux', '5.15.0'],
  ['macOS 14.5', 'macos', 'macos', '14.5'],
  ['Mac OS X 10.15.7', 'macos', 'macos', '10.15.7'],
  ['Cisco IOS Software, C2960 Software, Version 15.0(2)SE11', 'network', 'cisco ios', '15.0(2)se11'],
  ['Apple iOS 17.5', 'ios', 'ios', '17.5'],
  ['VMware ESXi 8.0.2', 'esxi', 'vmware esxi', '8.0.2'],
  ['FreeBSD 14.0-RELEASE', 'bsd', 'freebsd', '14.0'],
  ['Android 14', 'android', 'android', '14'],
  ['OpenWrt', 'network', 'openwrt', undefined],
  ['something else 3', undefined, undefined, undefined],
  ['', undefined, undefined, undefined],
])('%s', (text, family, name, version) => {
  expect(operatingSystemOf(normalizeText(text))).toEqual(
    Object.fromEntries(Object.entries({ family, name, version }).filter(([, it]) => it !== undefined)),
  )
})
