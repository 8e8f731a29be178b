import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab, type Swept } from '#test/support/network/network-lab.ts'

const RANGE = '10.77.0.0/24'
/** Web servers, of which some drop every packet and some refuse by ICMP. */
const WEB = Array.from({ length: 36 }, (_, i) => `10.77.0.${10 + i}`)
const DROPPING = WEB.slice(0, 4)
const REFUSING = WEB.slice(4, 6)
const FILES = '10.77.0.70'
const NAMES = '10.77.0.80'
const QUIET = ['10.77.0.90', '10.77.0.91']

needs(
  'root',
  'ip',
  'nmap',
  'nginx',
  'nft',
  'nmbd',
  'avahi-daemon',
  'minidlnad',
  'dnsmasq',
)('a sweep of 40 addresses', () => {
  let lab: NetworkLab
  let nmap: { live: string[]; elapsedMs: number }
  let swept: Swept

  beforeAll(async () => {
    lab = await networkLab({
      scanner: '10.77.0.1/24',
      machines: { web: WEB, files: [FILES], names: [NAMES], quiet: QUIET },
    })
    await Promise.all([startWeb(lab), startFiles(lab), startNames(lab)])
    await namesAreKnown(lab)
    swept = await lab.sweep(RANGE, NAMES)
    nmap = await sweepWithNmap(lab, RANGE)
  }, 120_000)
  afterAll(() => lab?.close())

  test('finds every host that nmap -sn finds, with the hardware address', () => {
    const seen = swept.seen.map((it) => it.identifiers.find((id) => id.type === 'ip')?.value)
    process.stdout.write(`sweep ${swept.elapsedMs} ms, nmap -sn ${nmap.elapsedMs} ms\n`)
    expect(nmap.live).toHaveLength(41)
    expect(new Set(seen)).toEqual(new Set(nmap.live))
    expect(swept.seen.every((it) => it.identifiers.some((id) => id.type === 'mac'))).toBe(true)
  })

  test('finds hosts that drop every packet by their neighbour entry', () => {
    for (const address of [...DROPPING, ...REFUSING])
      expect(factsOf(address)).toMatchObject({ foundBy: 'neighbour table' })
  })

  test('reports open ports', () => {
    expect(factsOf(WEB[20] ?? '')).toMatchObject({ openPorts: [80], foundBy: 'tcp' })
  })

  test('asks the machines and the name server for names', () => {
    const files = swept.seen.find((it) => it.sourceKey.startsWith(`${FILES}|`))
    expect(files?.name).toBe('filesrv.example.test')
    expect(files?.identifiers).toEqual(
      expect.arrayContaining([
        { type: 'ptr_name', value: 'filesrv.example.test' },
        { type: 'hostname', value: 'filesrv-2' },
        { type: 'hostname', value: 'FILESRV-2' },
      ]),
    )
    expect(files?.facts).toMatchObject({
      mdnsName: 'filesrv-2.local',
      netbiosDomain: 'LABGROUP',
      ssdpServer: expect.stringContaining('MiniDLNA'),
    })
  })

  const factsOf = (address: string) => swept.seen.find((it) => it.sourceKey.startsWith(`${address}|`))?.facts
})

needs(
  'root',
  'ip',
  'nmap',
)('a sweep over IPv6', () => {
  let lab: NetworkLab
  beforeAll(async () => {
    const one = Array.from({ length: 8 }, (_, i) => `fd77::${(0x10 + i).toString(16)}`)
    lab = await networkLab({ scanner: 'fd77::1/64', machines: { one, other: ['fd77::70'] } })
  })
  afterAll(() => lab?.close())

  test('finds every host of a /120 that nmap -sn finds', async () => {
    const { seen } = await lab.sweep('fd77::/120')
    const { live } = await sweepWithNmap(lab, '-6', 'fd77::/120')
    expect(live).toHaveLength(10)
    expect(new Set(seen.map((it) => it.identifiers[0]?.value))).toEqual(new Set(live))
    expect(seen.every((it) => it.identifiers.some((id) => id.type === 'mac'))).toBe(true)
  })
})

async function startWeb(lab: NetworkLab): Promise<void> {
  const nginx = join(lab.folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (it) => `${it}_temp_path ${lab.folder};`,
  )
  await writeFile(
    nginx,
    `daemon off; pid ${lab.folder}/nginx.pid; error_log ${lab.folder}/nginx.log; events {}
     http { access_log off; ${temporary.join(' ')} server { listen 80; return 204; } }`,
  )
  await lab.firewall(
    'web',
    `ip daddr { ${DROPPING.join(', ')} } drop`,
    `ip daddr { ${REFUSING.join(', ')} } reject with icmp type admin-prohibited`,
  )
  await lab.serve('web', ['tcp 80'], ['nginx', '-e', `${lab.folder}/nginx.log`, '-c', nginx])
}

async function startFiles(lab: NetworkLab): Promise<void> {
  const folder = join(lab.folder, 'files')
  await lab.run('files', 'mkdir', '-p', `${folder}/private`, `${folder}/media`)
  const smb = join(lab.folder, 'smb.conf')
  const paths = ['private', 'lock', 'state', 'cache', 'pid'].map(
    (it) => `${it} ${it === 'private' ? 'dir' : 'directory'} = ${folder}`,
  )
  await writeFile(
    smb,
    `[global]
     netbios name = FILESRV-2
     workgroup = LABGROUP
     interfaces = eth0
     bind interfaces only = yes
     ncalrpc dir = ${folder}/rpc
     log file = ${folder}/log
     ${paths.join('\n')}`,
  )
  const avahi = join(lab.folder, 'avahi.conf')
  await writeFile(avahi, `[server]\nhost-name=filesrv-2\nallow-interfaces=eth0\nenable-dbus=no\n`)
  const dlna = join(lab.folder, 'dlna.conf')
  await writeFile(
    dlna,
    `port=8200\nmedia_dir=${folder}/media\ndb_dir=${folder}\nlog_dir=${folder}\nnetwork_interface=eth0\n`,
  )
  await lab.run('files', 'chmod', '-R', '777', folder)
  await Promise.all([
    lab.serve('files', ['udp 137'], ['nmbd', '--foreground', '--no-process-group', '-s', smb]),
    lab.serve('files', ['udp 1900', 'tcp 8200'], ['minidlnad', '-S', '-f', dlna, '-P', `${folder}/dlna.pid`]),
    // Its file with the process id is at a fixed place: the mount is private to it.
    lab.serve(
      'files',
      ['udp 5353'],
      [
        'unshare',
        '-m',
        'sh',
        '-c',
        'mkdir -p /run/avahi-daemon && mount -t tmpfs none /run/avahi-daemon && exec avahi-daemon -f "$0" --no-drop-root --no-chroot --no-rlimits',
        avahi,
      ],
    ),
  ])
}

async function startNames(lab: NetworkLab): Promise<void> {
  const hosts = join(lab.folder, 'hosts')
  await writeFile(hosts, `${FILES} filesrv.example.test\n${NAMES} names.example.test\n`)
  await lab.serve(
    'names',
    ['udp 53'],
    [
      'dnsmasq',
      '--keep-in-foreground',
      '--conf-file=/dev/null',
      '--no-resolv',
      '--no-hosts',
      `--addn-hosts=${hosts}`,
      '--pid-file=',
      '--user=root',
      '--log-facility=/dev/null',
    ],
  )
}

/** The services are bound long before they answer: names are claimed first. */
async function namesAreKnown(lab: NetworkLab): Promise<void> {
  for (;;) {
    const { seen } = await lab.sweep(`${FILES}/32`, NAMES)
    const { mdnsName, netbiosDomain, ssdpServer } = seen[0]?.facts ?? {}
    if (mdnsName && netbiosDomain && ssdpServer) return
  }
}

async function sweepWithNmap(
  lab: NetworkLab,
  ...range: string[]
): Promise<{ live: string[]; elapsedMs: number }> {
  const startedAt = performance.now()
  const text = await lab.run('scanner', 'nmap', '-sn', '-n', '-oG', '-', ...range)
  const live = [...text.matchAll(/^Host: (\S+) .*Status: Up$/gm)].map(([, address = '']) => address)
  return { live, elapsedMs: Math.round(performance.now() - startedAt) }
}
