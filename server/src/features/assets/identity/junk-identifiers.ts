/**
 * Values that identify no machine: placeholders that manufacturers leave in firmware, and addresses that many
 * machines share. Collected from issues of other inventories about wrong merges (fusioninventory #3281, #878, #3270
 * and others).
 */

/** Serials compared as upper case letters and digits only. */
export const junkSerials: ReadonlySet<string> = new Set([
  'ASSET1234567890',
  'BSN12345678901234567',
  'MB1234567890',
  'NB1234567890',
  'ASSETTAG',
  'BASEBOARDSERIALNUMBER',
  'CHASSISSERIALNUMBER',
  'DEFAULT',
  'DEFAULTSTRING',
  'CANNOTBEREAD',
  'CHANGEME',
  'EMPTY',
  'EVAL',
  'EVALUATION',
  'FILLBYOEM',
  'GENERIC',
  'INVALID',
  'NA',
  'NOASSETTAG',
  'NONE',
  'NOSERIAL',
  'NOSERIALNUMBER',
  'NOTAPPLICABLE',
  'NOTAVAILABLE',
  'NOTDEFINED',
  'NOTPRESENT',
  'NOTSET',
  'NOTSETTABLE',
  'NOTSPECIFIED',
  'NULL',
  'OEM',
  'SERIAL',
  'SERIALNO',
  'SERIALNUMBER',
  'SERNUM',
  'SERNUM0',
  'SERNUM1',
  'STANDARD',
  'TAG12345',
  'BIOS',
  'BOCHS',
  'QEMU',
  'PARALLELS',
  'TYPE1PRODUCTSERIAL',
  'TYPE2BOARDSERIALNUMBER',
  'SYS1234567890',
  'SYSTEMSERIALNUMB',
  'SYSTEMSERIALNUMBER',
  'TBD',
  'TOBEFILLED',
  'TOBEFILLEDBYOEM',
  'UNDEFINED',
  'UNKNOWN',
  'UNSPECIFIED',
  'XXXXXXXXXX',
  '0123456789',
  '0123456789AB',
  '01234567',
  '012345678',
  '12345',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
])

/** Hexadecimal digits without dashes, in one of the two byte orders; the reader compares both. */
export const junkUuids: readonly string[] = [
  '03000200040005000006000700080009',
  '0102030405060708090a0b0c0d0e0f10',
  '0123456789abcdef0123456789abcdef',
  '12345678123456781234567812345678',
  '12345678123412341234123456789abc',
  '123456781234567890abcddeefaabbcc',
  'fefefefefefefefefefefefefefefefe',
  '01234567891011121314151617181920',
  '00112233445566778899aabbccddeeff',
  '11223344556677889900aabbccddeeff',
  '112233445566778899aabbccddeeff00',
  // of Dell and ICMS, without the service tag that others have in it
  '4c4c454400002010802080c04f202020',
  '4c4c454400001010802080c04f303030',
  '49434d53020090002500009025009000',
]

/** Prefixes of UUIDs that many machines share; the rest varies. */
export const junkUuidPrefixes: readonly string[] = ['44454c4c560010488057']

/** Prefixes of MAC addresses (lower case, colons) that are virtual, or the same on every machine with that driver. */
export const junkMacPrefixes: readonly string[] = [
  '00:00:00:00:00:', // null, and Teredo
  '00:00:5e:00:01:', // VRRP and CARP for IPv4
  '00:00:5e:00:02:', // VRRP for IPv6
  '00:00:0c:07:ac:', // HSRP
  '00:00:0c:9f:f', // HSRP version 2
  '00:07:b4:00:', // GLBP
  '00:05:9a:3c:7a:00', // Cisco AnyConnect
  '00:09:0f:aa:00:01', // Fortinet virtual adapters
  '00:09:0f:fe:00:01',
  '02:05:85:7f:eb:80', // Juniper and Pulse network adapter
  '02:50:41:00:00:01', // Palo Alto GlobalProtect
  '02:00:00:00:00:00', // what Android and iOS tell instead of theirs
  '02:00:4c:4f:4f:50', // Microsoft and Npcap loopback
  '00:53:45:00:00:00', // Windows dial-up
  '20:41:53:59:4e:ff', // Windows WAN miniports
  '50:50:54:50:30:30',
  '0a:00:27:00:00:', // VirtualBox host-only, the same on every host
  '00:50:56:c0:00:', // VMware host adapters, the same on every host
  '00:1c:42:00:00:', // Parallels on the inside of every Mac
  '52:54:00:12:35:0', // VirtualBox's own router
  '00:09:0f:09:', // pairs of FortiGate: either unit carries it
  '00:10:db:ff:', // redundant interfaces of a pair of SRX
  '02:bf:', // Windows load balancing, the same on every node
  'fe:ff:ff:ff:ff:ff', // Xen bridges
  'ac:de:48:00:11:22', // the inner network of Macs with a T2
  '02:80:37:ec:02:00', // mobile broadband cards that all carry one address
  '0c:5b:8f:27:9a:64',
  '58:2c:80:13:92:63',
  '00:1e:10:1f:00:0',
  '00:a0:c6:00:00:0',
  '00:e0:4c:53:44:58', // USB adapters that all carry one address
]

/** Addresses that are the same on the inside of every machine with that software. */
export const insideAddresses: ReadonlySet<string> = new Set([
  '172.17.0.1', // Docker
  '10.0.2.15', // VirtualBox
  '192.168.56.1',
  '192.168.122.1', // libvirt
  '192.168.99.1', // Docker Machine
])

/** MAC address ranges of hypervisors for their guests. */
export const hypervisorMacPrefixes: readonly string[] = [
  '00:05:69:', // VMware
  '00:0c:29:',
  '00:1c:14:',
  '00:50:56:',
  '00:15:5d:', // Hyper-V
  '00:16:3e:', // Xen
  '00:1a:4a:', // oVirt
  '00:1c:42:', // Parallels
  '08:00:27:', // VirtualBox
  '50:6b:8d:', // Nutanix
  '52:54:00:', // QEMU
  '58:9c:fc:', // bhyve
  'bc:24:11:', // Proxmox
  'fa:16:3e:', // OpenStack
]

/** Host names in common use: defaults of manufacturers and installers. */
export const genericNames: ReadonlySet<string> = new Set([
  'localhost',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'broadcasthost',
  'host',
  'hostname',
  'unknown',
  'none',
  'null',
  'default',
  'changeme',
  'template',
  'test',
  'router',
  'gateway',
  '_gateway',
  'switch',
  'firewall',
  'printer',
  'camera',
  'desktop',
  'laptop',
  'workstation',
  'server',
  'pc',
  'mypc',
  'computer',
  'admin',
  'user',
  'linux',
  'ubuntu',
  'debian',
  'fedora',
  'centos',
  'alpine',
  'kali',
  'archlinux',
  'raspberrypi',
  'openwrt',
  'windows',
  'android',
  'iphone',
  'ipad',
  'macbook',
  'macbook-air',
  'macbook-pro',
  'macbookair',
  'macbookpro',
  'imac',
  'mac',
  'macmini',
  'mac-mini',
  'esp32',
  'espressif',
  'amazon',
  'chromecast',
  'mikrotik',
  'diskstation',
  'dietpi',
  'docker',
  'freenas',
  'homeassistant',
  'kiosk',
  'libreelec',
  'nas',
  'octopi',
  'opnsense',
  'pfsense',
  'phone',
  'proxmox',
  'pve',
  'retropie',
  'samsung',
  'tablet',
  'truenas',
  'ubnt',
  'vm',
])

/** Default suffixes of small networks: a name with one of them counts as a bare name. */
export const localSuffixes: readonly string[] = [
  '.home.arpa',
  '.localdomain',
  '.local',
  '.lan',
  '.home',
  '.internal',
  '.workgroup',
]
