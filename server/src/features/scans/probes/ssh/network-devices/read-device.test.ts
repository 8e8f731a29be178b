import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deviceIn, type Device } from './read-device.ts'

/**
 * No such device can run here. These are lines of what such devices answered, as they are published: by
 * github.com/networktocode/ntc-templates (tests/VENDOR/show_version and the like) for Cisco, Juniper, Arista,
 * Fortinet, Comware and ProCurve; by forum posts and manuals of their users for MikroTik and EdgeOS.
 */
const answers: readonly (readonly [string, string, Device])[] = [
  [
    'Cisco IOS',
    `Cisco IOS Software, C2960 Software (C2960-LANBASEK9-M), Version 12.2(55)SE7, RELEASE SOFTWARE (fc1)
ROM: Bootstrap program is C2960 boot loader
access-1 uptime is 1 year, 2 weeks, 5 days, 31 minutes
cisco WS-C2960-24TT-L (PowerPC405) processor (revision B0) with 65536K bytes of memory.
Processor board ID FOC1010X104
Base ethernet MAC Address       : 00:1B:54:AA:BB:00
Model number                    : WS-C2960-24TT-L
System serial number            : FOC1010X105`,
    {
      vendor: 'Cisco',
      system: 'Cisco IOS',
      version: '12.2(55)SE7',
      model: 'WS-C2960-24TT-L',
      serial: 'FOC1010X105',
      hostname: 'access-1',
      macs: ['00:1b:54:aa:bb:00'],
    },
  ],
  [
    'Cisco IOS XE',
    `Cisco IOS Software, IOS-XE Software (X86_64_LINUX_IOSD-UNIVERSALK9-M), Version 15.3(2)S1, RELEASE SOFTWARE (fc1)
IOS XE Version: 03.09.01.S
my_device uptime is 1 day, 15 hours, 32 minutes
cisco ASR1001 (1RU) processor with 1133939K/6147K bytes of memory.
Processor board ID SSI1289001MH`,
    {
      vendor: 'Cisco',
      system: 'Cisco IOS XE',
      version: '03.09.01.S',
      model: 'ASR1001',
      serial: 'SSI1289001MH',
      hostname: 'my_device',
      macs: [],
    },
  ],
  [
    'Cisco NX-OS',
    `Software
  BIOS:      version 3.6.0
  kickstart: version 7.1(4)N1(1)
  system:    version 7.1(4)N1(1)
Hardware
  cisco Nexus 5596 Chassis ("O2 48X10GE/Modular Supervisor")
  Processor Board ID FOC17153X08
  Device name: IEDP02-N5K-SW01
NAME: "Chassis",  DESCR: "Nexus 5596 Chassis"
PID: N5K-C5596UP         ,  VID: V01 ,  SN: FOX1717XYZ1`,
    {
      vendor: 'Cisco',
      system: 'Cisco NX-OS',
      version: '7.1(4)N1(1)',
      model: 'Nexus 5596',
      serial: 'FOX1717XYZ1',
      hostname: 'IEDP02-N5K-SW01',
      macs: [],
    },
  ],
  [
    'Cisco ASA',
    `Cisco Adaptive Security Appliance Software Version 9.8(3)21 <context>
fw002 up 114 days 18 hours
Hardware:   FPR4K-SM-12
 0: Int: Internal-Data0/0    : address is 0050.56ad.0001, irq 10
Serial Number: JAD12345678`,
    {
      vendor: 'Cisco',
      system: 'Cisco ASA',
      version: '9.8(3)21',
      model: 'FPR4K-SM-12',
      serial: 'JAD12345678',
      hostname: 'fw002',
      macs: ['00:50:56:ad:00:01'],
    },
  ],
  [
    'Junos',
    `fpc0:
--------------------------------------------------------------------------
Hostname: lab
Model: ex4550-32f
JUNOS EX  Software Suite [13.2X51-D35.3]
Hardware inventory:
Item             Version  Part number  Serial number     Description
Chassis                                LX0212345678      EX4550-32F`,
    {
      vendor: 'Juniper Networks',
      system: 'Junos',
      version: '13.2X51-D35.3',
      model: 'ex4550-32f',
      serial: 'LX0212345678',
      hostname: 'lab',
      macs: [],
    },
  ],
  [
    'Arista EOS, virtual: no serial number',
    `Arista vEOS
Hardware version:
Serial number:
System MAC address:  2803.829a.1347

Software image version: 4.14.7M`,
    {
      vendor: 'Arista',
      system: 'Arista EOS',
      version: '4.14.7M',
      model: 'vEOS',
      macs: ['28:03:82:9a:13:47'],
    },
  ],
  [
    'FortiOS',
    `Version: FortiGate-40F v7.0.15,build0632,240401 (GA.M)
Serial-Number: FGT40XXXXXXXXXXX
Hostname: FGT-fw-a`,
    {
      vendor: 'Fortinet',
      system: 'FortiOS',
      version: '7.0.15',
      model: 'FortiGate-40F',
      serial: 'FGT40XXXXXXXXXXX',
      hostname: 'FGT-fw-a',
      macs: [],
    },
  ],
  [
    'RouterOS',
    `                   uptime: 3w4d13h4m9s
                  version: 6.48.6 (stable)
               board-name: RB951G-2HnD
                 platform: MikroTik
             model: RouterBOARD 951G-2HnD
     serial-number: 5D48047C4E1F
  name: rt-office
`,
    {
      vendor: 'MikroTik',
      system: 'RouterOS',
      version: '6.48.6',
      model: 'RB951G-2HnD',
      serial: '5D48047C4E1F',
      hostname: 'rt-office',
      macs: [],
    },
  ],
  [
    'EdgeOS, whose serial number is its hardware address',
    `Version:      v2.0.9-hotfix.2
Copyright:    2012-2021 Ubiquiti Networks, Inc.
HW model:     EdgeRouter X 5-Port
HW S/N:       F09FC2123456`,
    {
      vendor: 'Ubiquiti',
      system: 'EdgeOS',
      version: '2.0.9-hotfix.2',
      model: 'EdgeRouter X 5-Port',
      serial: 'F09FC2123456',
      macs: ['f0:9f:c2:12:34:56'],
    },
  ],
  [
    'Comware',
    `H3C Comware Platform Software
Comware Software, Version 5.20, Feature 6709L25
H3C S7510E uptime is 309 weeks, 1 day, 16 hours, 15 minutes
DEVICE_SERIAL_NUMBER : 210235A0LA0000000001
MAC_ADDRESS          : 000F-E200-0003`,
    {
      vendor: 'H3C',
      system: 'Comware',
      version: '5.20, Feature 6709L25',
      model: 'H3C S7510E',
      serial: '210235A0LA0000000001',
      macs: ['00:0f:e2:00:00:03'],
    },
  ],
  [
    'ProCurve',
    ` Status and Counters - General System Information
  System Name        : lab-sw-01
  Software revision  : WC.16.11.0027
  Base MAC Addr      : a1b2c3-d4e5f6
  ROM Version        : WC.16.01.0010
  Serial Number      : AB12CDE3FH`,
    {
      vendor: 'HP',
      system: 'ProCurve',
      version: 'WC.16.11.0027',
      serial: 'AB12CDE3FH',
      hostname: 'lab-sw-01',
      macs: ['a1:b2:c3:d4:e5:f6'],
    },
  ],
]

test.each(answers)('%s', (_, text, device) => {
  expect(deviceIn(text)?.read(text)).toEqual(device)
  const asTyped = text.replaceAll('\n', '\r\n')
  expect(deviceIn(asTyped)?.read(asTyped)).toEqual(device)
})

test('knows nobody in what others say', () => {
  for (const text of ['', 'bash: show: command not found', '% Invalid input detected', 'Linux vm 6.1.0'])
    expect(deviceIn(text)).toBeUndefined()
})

test('whatever a device says is read without harm', () => {
  const lines = answers.flatMap(([, text]) => text.split('\n'))
  const line = fc.oneof(fc.constantFrom(...lines), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(fc.array(line), (said) => {
      const text = said.join('\n')
      const device = deviceIn(text)?.read(text)
      for (const mac of device?.macs ?? []) expect(mac).toMatch(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/)
    }),
  )
})
