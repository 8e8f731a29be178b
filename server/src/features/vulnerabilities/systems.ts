/** What operating systems are called in the CPE dictionary. */

/** By the build of Windows: first those that are meant for people, then those for servers. */
const windowsBuilds: Readonly<Record<string, readonly (readonly [client: string, server: string])[]>> = {
  '7601': [['windows_7', 'windows_server_2008']],
  '9200': [['windows_8', 'windows_server_2012']],
  '9600': [['windows_8.1', 'windows_server_2012']],
  '10240': [['windows_10_1507', '']],
  '14393': [['windows_10_1607', 'windows_server_2016']],
  '17763': [['windows_10_1809', 'windows_server_2019']],
  '19041': [['windows_10_2004', '']],
  '19042': [['windows_10_20h2', 'windows_server_20h2']],
  '19043': [['windows_10_21h1', '']],
  '19044': [['windows_10_21h2', '']],
  '19045': [['windows_10_22h2', '']],
  '20348': [['', 'windows_server_2022']],
  '22000': [['windows_11_21h2', '']],
  '22621': [['windows_11_22h2', '']],
  '22631': [['windows_11_23h2', '']],
  '25398': [['', 'windows_server_23h2']],
  '26100': [['windows_11_24h2', 'windows_server_2025']],
}

export interface System {
  /** As os-release(5) has it. */
  readonly id: string
  readonly version: string
  readonly prettyName: string
}

/** `part:vendor:product`. Of Linux none: there the distribution speaks for its packages, the kernel among them. */
export function productsOf({ id, version, prettyName }: System): string[] {
  switch (id.toLowerCase()) {
    case 'windows': {
      const build = /^\d+\.\d+\.(\d+)/.exec(version)?.[1] ?? ''
      const isServer = /server/i.test(prettyName)
      return (windowsBuilds[build] ?? [])
        .map(([client, server]) => (isServer ? server : client))
        .filter((name) => name !== '')
        .map((name) => `o:microsoft:${name}`)
    }
    case 'macos':
      return ['o:apple:macos']
    case 'freebsd':
      return ['o:freebsd:freebsd']
    case 'openbsd':
      return ['o:openbsd:openbsd']
    default:
      return []
  }
}
