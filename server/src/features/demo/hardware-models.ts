import { permuted } from './seeded-random.ts'

/** A hardware model. `ouis` are MAC address blocks that the IEEE assigned to the vendor of its network card. */
export interface Model {
  readonly vendor: string
  readonly model: string
  readonly ouis: readonly string[]
  readonly os?: readonly string[]
}

const windows11 = [
  'Microsoft Windows 11 Pro 23H2',
  'Microsoft Windows 11 Enterprise 24H2',
  'Microsoft Windows 10 Pro 22H2',
]
const intelWireless = ['fc:f8:ae', 'fc:77:74', 'fc:b3:bc', '90:78:41', 'a0:51:0b']
const serverSystems = [
  'Ubuntu 22.04.4 LTS',
  'Ubuntu 24.04 LTS',
  'Debian GNU/Linux 12 (bookworm)',
  'Red Hat Enterprise Linux 9.4',
  'Red Hat Enterprise Linux 8.10',
  'Microsoft Windows Server 2022 Standard',
  'Microsoft Windows Server 2019 Standard',
  'SUSE Linux Enterprise Server 15 SP5',
]

export const laptops: readonly Model[] = [
  { vendor: 'Dell Inc.', model: 'Latitude 5440', ouis: intelWireless, os: windows11 },
  { vendor: 'Dell Inc.', model: 'XPS 13 9340', ouis: intelWireless, os: windows11 },
  {
    vendor: 'LENOVO',
    model: 'ThinkPad T14 Gen 4',
    ouis: intelWireless,
    os: [...windows11, 'Ubuntu 24.04 LTS'],
  },
  { vendor: 'LENOVO', model: 'ThinkPad X1 Carbon Gen 11', ouis: intelWireless, os: windows11 },
  { vendor: 'HP', model: 'EliteBook 840 G10', ouis: intelWireless, os: windows11 },
  {
    vendor: 'Apple',
    model: 'MacBook Pro 14-inch (M3)',
    ouis: ['fc:d8:48', 'fc:e2:6c'],
    os: ['macOS 14.6', 'macOS 15.1'],
  },
]
export const desktops: readonly Model[] = [
  { vendor: 'Dell Inc.', model: 'OptiPlex 7010', ouis: ['d8:9e:f3', 'a4:bb:6d'], os: windows11 },
  { vendor: 'HP', model: 'EliteDesk 800 G9', ouis: ['e0:70:ea', 'e8:d8:d1'], os: windows11 },
]
/** Self-assembled computers without a serial number in the firmware. */
export const whiteBoxes: readonly Model[] = [
  { vendor: 'ASUSTeK COMPUTER INC.', model: 'PRIME B660M-A', ouis: ['04:d9:f5', '24:4b:fe'], os: windows11 },
  { vendor: 'Micro-Star International Co., Ltd.', model: 'MS-7D43', ouis: ['d8:bb:c1'], os: windows11 },
  {
    vendor: 'Gigabyte Technology Co., Ltd.',
    model: 'B760M DS3H',
    ouis: ['e0:d5:5e', '74:56:3c'],
    os: windows11,
  },
]
export const handhelds: readonly Model[] = [
  { vendor: 'Apple', model: 'iPhone 15', ouis: ['fc:fc:48'], os: ['iOS 17.6', 'iOS 18.1'] },
  { vendor: 'Samsung', model: 'Galaxy A54', ouis: ['fc:f1:36', 'fc:de:90'], os: ['Android 14'] },
]
export const servers: readonly Model[] = [
  { vendor: 'Dell Inc.', model: 'PowerEdge R650', ouis: ['f4:ee:08', 'b8:85:84'], os: serverSystems },
  { vendor: 'HPE', model: 'ProLiant DL360 Gen10', ouis: ['f4:03:43', 'b4:7a:f1'], os: serverSystems },
  { vendor: 'Supermicro', model: 'SYS-1029P-WTR', ouis: ['3c:ec:ef'], os: serverSystems },
]
export const hypervisors: readonly Model[] = [
  {
    vendor: 'Dell Inc.',
    model: 'PowerEdge R750',
    ouis: ['e4:b9:7a'],
    os: ['VMware ESXi 8.0.2', 'VMware ESXi 7.0.3'],
  },
  { vendor: 'HPE', model: 'ProLiant DL380 Gen11', ouis: ['98:f2:b3'], os: ['VMware ESXi 8.0.2'] },
  { vendor: 'Supermicro', model: 'SYS-221H-TNR', ouis: ['ac:1f:6b'], os: ['VMware ESXi 7.0.3'] },
]
/** VMware's block; vCenter assigns guests addresses of a part of it. */
export const guests: readonly Model[] = [
  { vendor: 'VMware, Inc.', model: 'VMware20,1', ouis: ['00:50:56'], os: serverSystems },
]
export const switches: readonly Model[] = [
  {
    vendor: 'Cisco',
    model: 'Catalyst 9300-48P',
    ouis: ['fc:58:9a', 'fc:5b:39'],
    os: ['Cisco IOS XE 17.9.4', 'Cisco IOS XE 17.6.5'],
  },
  { vendor: 'Aruba', model: '6300M', ouis: ['fc:7f:f1'], os: ['ArubaOS-CX 10.13'] },
  { vendor: 'Juniper', model: 'EX3400-24P', ouis: ['fc:33:42'], os: ['Junos OS 21.4R3'] },
]
export const accessPoints: readonly Model[] = [
  { vendor: 'Ubiquiti', model: 'U6-Pro', ouis: ['fc:ec:da', 'f4:e2:c6'], os: ['UniFi 6.6.55'] },
  { vendor: 'Aruba', model: 'AP-515', ouis: ['f8:60:f0'], os: ['ArubaOS 8.10'] },
]
export const firewalls: readonly Model[] = [
  {
    vendor: 'Fortinet',
    model: 'FortiGate 100F',
    ouis: ['e8:ed:d6', 'e8:1c:ba'],
    os: ['FortiOS 7.2.8', 'FortiOS 7.4.4'],
  },
  { vendor: 'Juniper', model: 'SRX340', ouis: ['fc:96:43'], os: ['Junos OS 22.4R2'] },
]
export const printers: readonly Model[] = [
  { vendor: 'Brother', model: 'MFC-L8900CDW', ouis: ['30:05:5c'] },
  { vendor: 'Kyocera', model: 'TASKalfa 3554ci', ouis: ['d4:f0:c9'] },
  { vendor: 'HP', model: 'LaserJet Enterprise M507', ouis: ['f8:0d:ac'] },
  { vendor: 'Zebra', model: 'ZT411', ouis: ['c8:1c:fe'] },
]
export const deskPhones: readonly Model[] = [
  { vendor: 'Yealink', model: 'SIP-T54W', ouis: ['80:5e:c0', '24:9a:d8'] },
  { vendor: 'Polycom', model: 'VVX 450', ouis: ['64:16:7f'] },
]
export const cameras: readonly Model[] = [
  { vendor: 'Axis', model: 'P3245-LVE', ouis: ['b8:a4:4f', 'ac:cc:8e'] },
  { vendor: 'Hikvision', model: 'DS-2CD2143G2-I', ouis: ['fc:9f:fd'] },
]
export const industrialDevices: readonly Model[] = [
  { vendor: 'Siemens', model: 'SIMATIC S7-1500 CPU 1515-2 PN', ouis: ['d4:f5:27', 'ec:1c:5d'] },
  { vendor: 'Rockwell Automation', model: '1756-L83E ControlLogix', ouis: ['f4:54:33', '5c:88:16'] },
  { vendor: 'Beckhoff', model: 'CX5140', ouis: ['00:01:05'] },
  { vendor: 'WAGO', model: '750-8212 PFC200', ouis: ['00:30:de'] },
  { vendor: 'Phoenix Contact', model: 'AXC F 2152', ouis: ['a8:74:1d'] },
  { vendor: 'Moxa', model: 'EDS-510E', ouis: ['00:90:e8'] },
  { vendor: 'Advantech', model: 'UNO-2484G', ouis: ['74:fe:48'] },
]
export const DOCK_OUI = 'c8:f7:50'

const BLOCK = 2 ** 24
/** A MAC address in the block, unique for numbers below 2^24. */
export const macIn = (oui: string, number: number): string => `${oui}:${octets(permuted(number, BLOCK))}`

const VCENTER_RANGE = 2 ** 22
/** vCenter assigns 00:50:56:80:00:00 to 00:50:56:bf:ff:ff. */
export const guestMac = (number: number): string =>
  `${guests[0]!.ouis[0]}:${octets(2 ** 23 + permuted(number, VCENTER_RANGE))}`

const octets = (number: number): string =>
  number
    .toString(16)
    .padStart(6, '0')
    .replace(/(..)(?!$)/g, '$1:')

const SERIALS = 36 ** 5
/** A unique serial number of seven capital letters and digits; `prefix` (two characters) separates the generators. */
export const serialOf = (prefix: string, number: number): string =>
  prefix + permuted(number, SERIALS).toString(36).padStart(5, '0').toUpperCase()
