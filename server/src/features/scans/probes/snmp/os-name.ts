/** How sysDescr begins, and how the system is named for people; `$1` and so on are what the parentheses caught. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/^Cisco IOS XR Software.{0,80}?Version ([^\s,[]+)/s, 'Cisco IOS XR $1'],
  [/^Cisco IOS Software.{0,20}IOS-XE Software.{0,120}?Version ([^\s,]+)/s, 'Cisco IOS XE $1'],
  [/^Cisco IOS Software.{0,160}?Version ([^\s,]+)/s, 'Cisco IOS $1'],
  [/^Cisco Internetwork Operating System Software.{0,160}?Version ([^\s,]+)/s, 'Cisco IOS $1'],
  [/^Cisco NX-OS.{0,160}?Version ([^\s,]+)/s, 'Cisco NX-OS $1'],
  [/^Cisco Adaptive Security Appliance Version (\S+)/, 'Cisco ASA $1'],
  [/kernel JUNOS ([^\s,]+)/, 'Junos $1'],
  [/^Arista Networks EOS version (\S+)/, 'Arista EOS $1'],
  [/Comware (?:Platform )?Software.{0,40}?Version ([^\s,]+)(?:,? (Release \S+))?/s, 'Comware $1 $2'],
  [/Huawei Versatile Routing Platform.{0,80}?Version (\S+)/s, 'Huawei VRP $1'],
  [/^(?:HPE?|Aruba|ProCurve) ?J[LG]?\w{4,6}.{0,80}?, ?revision ([^\s,]+)/, 'ArubaOS-Switch $1'],
  [/^ArubaOS \(MODEL: [^)]{1,40}\), Version ([^\s,]+)/, 'ArubaOS $1'],
  [/^VMware ESXi (\S+) build-(\d+)/, 'VMware ESXi $1 build $2'],
  [/Software: Windows (?:2000 )?Version ([\d.]+) \(Build (\d+)/, 'Windows $1 build $2'],
  [/^Linux \S+ (\d[\w.+~-]*)/, 'Linux $1'],
  [/^pfSense \S+ (\S+)/, 'pfSense $1'],
  [/^(FreeBSD|OpenBSD|NetBSD|DragonFly) \S+ (\d\S*)/, '$1 $2'],
  [/FreeBSD (\d\S*)/, 'FreeBSD $1'],
  [/^Darwin \S+ (\d\S*)/, 'macOS (Darwin $1)'],
  [/^SunOS \S+ (\d\S*)/, 'SunOS $1'],
  [/^HP-UX \S+ (\S+)/, 'HP-UX $1'],
  [/AIX version: ([\d.]+)/, 'AIX $1'],
]

/** Makers whose version stands in a branch of their own, and what they call their system. */
const byMaker: Readonly<Record<string, string | undefined>> = {
  MikroTik: 'RouterOS',
  'Palo Alto Networks': 'PAN-OS',
  F5: 'BIG-IP',
  Fortinet: 'FortiOS',
  Synology: '',
}

const DESCRIPTION_MAX = 1_024

/** The operating system with its version, where the device says both in a way that is well known. */
export function osName(
  description: string | undefined,
  own: { readonly vendor?: string; readonly version?: string } = {},
): string | undefined {
  const system = own.vendor === undefined ? undefined : byMaker[own.vendor]
  if (system !== undefined && own.version !== undefined) {
    const version = own.version.replace(/^v(?=\d)/i, '')
    return `${system} ${version}`.trim()
  }
  for (const [pattern, name] of rules) {
    const match = pattern.exec((description ?? '').slice(0, DESCRIPTION_MAX))
    if (match) return name.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '').trim()
  }
  return undefined
}
