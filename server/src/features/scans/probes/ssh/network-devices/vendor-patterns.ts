/** How to parse one vendor's devices. Of each list the first pattern that matches counts, and of it the first group. */
export interface Maker {
  /** What only these devices say. */
  readonly sign: RegExp
  readonly vendor: string
  readonly system: string
  /** Commands to ask besides; none changes anything. */
  readonly ask: readonly string[]
  readonly version: readonly RegExp[]
  readonly model: readonly RegExp[]
  readonly serial: readonly RegExp[]
  readonly hostname: readonly RegExp[]
  readonly mac?: readonly RegExp[]
}

/** `show inventory` of Cisco: the chassis, whose serial number is the device's. */
const CHASSIS_SERIAL =
  /NAME: "(?:Chassis|Switch System|Rack \d|\d{1,2})"[^\n]{0,200}\n[^\n]{0,200}SN: ?([\w-]{4,40})/i

/** The more special sign comes first. */
export const makers: readonly Maker[] = [
  {
    sign: /Cisco Adaptive Security Appliance/,
    vendor: 'Cisco',
    system: 'Cisco ASA',
    ask: [],
    version: [/Appliance Software Version (\S{1,40})/],
    model: [/^Hardware: +([\w-]{2,40})/m],
    serial: [/^Serial Number: (\w{4,40})/m],
    hostname: [/^([\w.-]{1,64}) up \d/m],
    mac: [/: address is ([0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})/],
  },
  {
    sign: /Cisco Nexus Operating System|\bNX-OS\b|^\s{0,8}kickstart: +version /im,
    vendor: 'Cisco',
    system: 'Cisco NX-OS',
    ask: ['show inventory'],
    version: [/^ {0,8}(?:NXOS|system): +version (\S{1,40})/m],
    model: [/^ {0,8}cisco (Nexus\d* \S{2,40})(?: |$)/m],
    serial: [CHASSIS_SERIAL, /Processor Board ID (\w{4,40})/i],
    hostname: [/Device name: (\S{1,64})/],
  },
  {
    sign: /Cisco IOS[ -]XE|IOS-XE Software/,
    vendor: 'Cisco',
    system: 'Cisco IOS XE',
    ask: ['show inventory'],
    version: [
      /^IOS XE Version: (\S{1,40})/m,
      /IOS[ -]XE Software, Version ([^\s,]{1,40})/,
      /, Version ([^\s,]{1,40})/,
    ],
    model: [/^Model Number +: (\S{2,40})/im, /^cisco (\S{2,40}) [^\n]{0,80}processor/im],
    serial: [/^System Serial Number +: (\w{4,40})/im, CHASSIS_SERIAL, /^Processor board ID (\w{4,40})/im],
    hostname: [/^([\w.-]{1,64}) uptime is /m],
    mac: [/Base ethernet MAC address +: (\S{12,17})/i],
  },
  {
    sign: /Cisco (?:IOS Software|Internetwork Operating System)/,
    vendor: 'Cisco',
    system: 'Cisco IOS',
    ask: ['show inventory'],
    version: [/(?:IOS[^\n]{0,120}|\n[^\n]{0,120}), Version ([^\s,]{1,40})/],
    model: [/^Model number +: (\S{2,40})/im, /^cisco (\S{2,40}) [^\n]{0,80}processor/im],
    serial: [/^System serial number +: (\w{4,40})/im, CHASSIS_SERIAL, /^Processor board ID (\w{4,40})/im],
    hostname: [/^([\w.-]{1,64}) uptime is /m],
    mac: [/Base ethernet MAC address +: (\S{12,17})/i],
  },
  {
    sign: /^Arista \S/m,
    vendor: 'Arista',
    system: 'Arista EOS',
    ask: ['show hostname'],
    version: [/^Software image version: (\S{1,40})/m],
    model: [/^Arista ([\w-]{2,40})/m],
    serial: [/^Serial number: +(\w{4,40})/m],
    hostname: [/^Hostname: (\S{1,64})/m],
    mac: [/^System MAC address: +(\S{12,17})/m],
  },
  {
    sign: /\bJUNOS\b/i,
    vendor: 'Juniper Networks',
    system: 'Junos',
    ask: ['show chassis hardware'],
    version: [/^Junos: (\S{1,40})/m, /JUNOS [^\n[]{0,60}\[([\w.-]{1,40})\]/],
    model: [/^Model: (\S{2,40})/m],
    serial: [/^Chassis {2,}(?:REV \d{1,3} {1,20}\S{4,20} {1,20})?(\w{4,40})(?: |$)/m],
    hostname: [/^Hostname: (\S{1,64})/m],
  },
  {
    sign: /^Version: Forti\w/m,
    vendor: 'Fortinet',
    system: 'FortiOS',
    ask: [],
    version: [/^Version: \S{2,40} v([^,\s]{1,40})/m],
    model: [/^Version: (\S{2,40}) v/m],
    serial: [/^Serial-Number: (\w{4,40})/m],
    hostname: [/^Hostname: (\S{1,64})/m],
  },
  {
    sign: /^ {0,40}platform: MikroTik/m,
    vendor: 'MikroTik',
    system: 'RouterOS',
    ask: [
      '/system routerboard print',
      '/system identity print',
      '/interface ethernet print detail without-paging',
    ],
    version: [/^ {0,40}version: (\S{1,40})/m],
    model: [/^ {0,40}board-name: ([^\r\n]{2,60})/m, /^ {0,40}model: ([^\r\n]{2,60})/m],
    serial: [/^ {0,40}serial-number: (\w{4,40})/m],
    hostname: [/^ {0,40}name: ([\w.-]{1,64})\s/m],
    mac: [/ mac-address=([0-9A-F:]{17})/],
  },
  {
    sign: /HW model: +Edge|Ubiquiti/,
    vendor: 'Ubiquiti',
    system: 'EdgeOS',
    ask: [],
    version: [/^Version: +v?(\S{1,40})/m],
    model: [/^HW model: +([^\r\n]{2,60})/m],
    serial: [/^HW S\/N: +(\w{4,40})/m],
    hostname: [],
    mac: [/^HW S\/N: +([0-9A-F]{12})\b/im],
  },
  {
    sign: /Comware (?:Platform )?Software/,
    vendor: 'H3C',
    system: 'Comware',
    ask: ['display device manuinfo'],
    version: [/Comware Software, Version ([^\r\n]{1,60})/],
    model: [/^((?:H3C|HPE?|HP) [^\r\n]{2,40}?) uptime is /m],
    serial: [/DEVICE_SERIAL_NUMBER +: (\w{4,40})/],
    hostname: [],
    mac: [/MAC_ADDRESS +: (\S{12,17})/],
  },
  {
    sign: /Huawei Versatile Routing Platform/,
    vendor: 'Huawei',
    system: 'VRP',
    ask: ['display esn'],
    version: [/VRP \(R\) software, Version ([^\r\n]{1,60})/i],
    model: [/^(?:HUAWEI|Quidway) (\S{2,40})[^\r\n]{0,40} uptime is /im],
    serial: [/^ESN[^\r\n:]{0,40}: ?(\w{4,40})/m],
    hostname: [],
  },
  {
    sign: /ArubaOS-CX/,
    vendor: 'Aruba',
    system: 'ArubaOS-CX',
    ask: ['show system'],
    version: [/^Version +: (\S{1,40})/m, /^ArubaOS-CX Version +: (\S{1,40})/m],
    model: [/^Product Name +: ([^\r\n]{2,80})/m],
    serial: [/^Chassis Serial Nbr +: (\w{4,40})/m],
    hostname: [/^Hostname +: (\S{1,64})/m],
    mac: [/^Base MAC Address +: (\S{12,17})/m],
  },
  {
    sign: /^ {0,4}(?:Image stamp:|Software revision +:)/m,
    vendor: 'HP',
    system: 'ProCurve',
    ask: ['show system', 'show modules'],
    version: [/^ {0,4}Software revision +: (\S{1,40})/m, /^\s{2,40}([A-Z]{1,2}\.\d{2}\.\d{2}\.\d{2,4})\s/m],
    model: [/Chassis: ([^\r\n]{2,60}?) +Serial number/i],
    serial: [
      /Serial number: *(\w{4,40})/i,
      /^ {0,4}(?:ROM Version[^\r\n]{0,40})?Serial Number +: (\w{4,40})/m,
    ],
    hostname: [/^ {0,4}System Name +: (\S{1,64})/m],
    mac: [/Base MAC Addr +: ([0-9a-f]{6}-[0-9a-f]{6})/i],
  },
  {
    sign: /^sw-version: /m,
    vendor: 'Palo Alto Networks',
    system: 'PAN-OS',
    ask: [],
    version: [/^sw-version: (\S{1,40})/m],
    model: [/^model: (\S{2,40})/m],
    serial: [/^serial: (\w{4,40})/m],
    hostname: [/^hostname: (\S{1,64})/m],
    mac: [/^mac-address: (\S{17})/m],
  },
]
