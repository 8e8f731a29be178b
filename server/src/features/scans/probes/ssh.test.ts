import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { needs } from '#test/support/needs.ts'
import type { Progress } from './probe.ts'
import { ssh } from './ssh.ts'
import { accessWith, HOST, keyOf, look, only, passwordOf } from './ssh/access.fixture.ts'
import { openSshLab, type SshLab, type SshServer } from '#test/support/scanned-hosts/ssh-servers.ts'

/** What a tool of this system prints. */
const output = (command: string): string =>
  execFileSync('/bin/sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    maxBuffer: 64 * 1024 * 1024,
  }).trim()
const outputLines = (command: string): string[] => output(command).split('\n').filter(Boolean)

test('takes ranges and hosts, and says why a range does not fit', () => {
  expect(ssh.accepts({ kind: 'cidr', cidr: '192.0.2.0/24' })).toBe(true)
  expect(ssh.accepts({ kind: 'host', host: 'db.example' })).toBe(true)
  expect(ssh.accepts({ kind: 'cidr', cidr: '10.0.0.0/8' })).toContain('too large')
})

needs(
  'root',
  'sshd',
  'dropbear',
  'rpmbuild',
)('a scan over SSH', () => {
  let place: SshLab
  let sshd: SshServer
  let seen: Observation
  beforeAll(async () => {
    place = await openSshLab()
    scratchRpm(place)
    sshd = await place.sshd()
    seen = only(await look(accessWith([key(sshd.port)])))
  })
  afterAll(() => place?.close())

  const key = (port: number) => keyOf(place, port)
  const values = (type: string): string[] =>
    seen.identifiers.filter((it) => it.type === type).map(({ value }) => value)

  test('reports the operating system as its own files do', () => {
    const [id = '', versionId = '', codename = '', prettyName = ''] = outputLines(
      '. /etc/os-release; printf "%s\\n" "$ID" "$VERSION_ID" "$VERSION_CODENAME" "$PRETTY_NAME"',
    )
    expect(seen.software?.release).toEqual({
      id,
      versionId,
      codename,
      prettyName,
      kernel: output('uname -r'),
    })
    expect(seen.os).toBe(prettyName)
    expect(seen.facts).toMatchObject({ kernel: output('uname -r'), architecture: output('uname -m') })
    expect(seen.name).toBe(output('hostname -f || hostname').toLowerCase())
    expect(values('hostname')).toContain(output('uname -n').toLowerCase())
  })

  test('lists packages exactly as dpkg-query does, with their source', () => {
    const format =
      '${db:Status-Abbrev}|${Package}|${Version}|${Architecture}|${source:Package}|${source:Version}'
    const expected = outputLines(`dpkg-query -W -f='${format}\\n'`)
      .filter((line) => /^.i/.test(line))
      .map((line) => line.split('|').slice(1).join('|'))
    const found = seen.software?.items
      .filter(({ origin }) => origin === 'dpkg')
      .map((it) =>
        [it.name, it.version, it.arch, it.source?.name, it.source?.version ?? it.version].join('|'),
      )
    expect(found?.toSorted()).toEqual(expected.toSorted())
    expect(seen.software?.complete).toContain('dpkg')
  })

  test('lists packages exactly as rpm does, from a database of a real package', () => {
    const listed = output(
      `HOME=${place.folder}/home rpm -qa --qf '%{NAME} 0:%{VERSION}-%{RELEASE} %{ARCH} %{SOURCERPM}\\n'`,
    )
    expect(listed).toBe('scratch-tool 0:1.2-3 noarch scratch-tool-1.2-3.src.rpm')
    expect(seen.software?.items.filter(({ origin }) => origin === 'rpm')).toEqual([
      {
        origin: 'rpm',
        name: 'scratch-tool',
        version: '0:1.2-3',
        arch: 'noarch',
        source: { name: 'scratch-tool' },
        installedAt: expect.any(Date),
      },
    ])
    expect(seen.software?.complete).toContain('rpm')
    expect(seen.software?.complete).not.toContain('apk')
  })

  test('lists libraries of languages, with the package that each belongs to as dpkg -S names it', () => {
    const libraries = seen.software?.items.filter(({ origin }) => origin === 'library') ?? []
    expect(seen.software?.complete).toContain('library')
    const listed = outputLines(
      `find /usr/lib/python3/dist-packages -maxdepth 1 -name '*-[0-9]*.egg-info' -o -maxdepth 1 -name '*-[0-9]*.dist-info'`,
    )
    const paths = libraries.flatMap(({ paths: all = [] }) => all)
    for (const path of listed) expect(paths.some((it) => it.startsWith(path))).toBe(true)
    const found = libraries.flatMap(({ source, paths: [path = ''] = [] }) =>
      path.startsWith('/usr/lib/python3/') ? [`${source?.name}: ${path}`] : [],
    )
    const owned = outputLines(`dpkg -S ${found.map((it) => `'${it.replace(/^.*?: /, '')}'`).join(' ')}`)
    expect(found.toSorted()).toEqual(owned.map((it) => it.replace(/^([^:,]+)[^/]*: /, '$1: ')).toSorted())
  })

  test('reports processors, memory, disks and file systems as nproc, meminfo, lsblk and df do', () => {
    expect(seen.facts).toMatchObject({
      cpuCount: Number(output('getconf _NPROCESSORS_ONLN')),
      memoryBytes: Number(output("awk '/^MemTotal/ {print $2}' /proc/meminfo")) * 1024,
    })
    const root = output("df -Pk / | tail -1 | awk '{print $1, $2}'").split(' ')
    expect(seen.facts?.['fileSystems']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ mount: '/', device: root[0], bytes: Number(root[1]) * 1024 }),
      ]),
    )
    const disks = JSON.parse(output('lsblk -b -J -d -e 1,2,7,11,43,251,252 -o NAME,SIZE')) as {
      blockdevices: { name: string; size: number }[]
    }
    expect(seen.facts?.['disks'] ?? []).toEqual(
      disks.blockdevices
        .filter(({ size }) => size > 0)
        .map(({ name, size }) => expect.objectContaining({ name, bytes: size })),
    )
  })

  test('reports interfaces and their addresses as ip does', () => {
    const links = JSON.parse(output('ip -j addr')) as IpLink[]
    expect(seen.facts?.['interfaces']).toEqual(
      links.map((link) => ({
        name: link.ifname,
        mtu: link.mtu,
        isUp: link.flags.includes('UP'),
        ...(link.link_type === 'ether' && { mac: link.address }),
        addresses: link.addr_info.map(({ local, prefixlen, dynamic }) => ({
          ip: local,
          prefix: prefixlen,
          isLeased: dynamic === true,
        })),
      })),
    )
    const physical = links.filter(
      ({ ifname }) => output(`ls -d /sys/class/net/${ifname}/device 2>/dev/null || true`) !== '',
    )
    for (const { address, addr_info } of physical) {
      expect(values('mac')).toContain(address)
      const global = addr_info.filter(({ scope }) => scope === 'global').map(({ local }) => local)
      expect(values('ip')).toEqual(expect.arrayContaining(global))
    }
    expect(values('ip')).not.toContain('::1')
  })

  test('reports machine id, virtualization and boot time as the system does', () => {
    const nature = output('systemd-detect-virt || true')
    const isImage = ['docker', 'podman'].includes(nature)
    expect(values('machine_id')).toEqual(isImage ? [] : [output('cat /etc/machine-id')])
    expect(seen.facts?.['virtualization']).toBe(nature === 'none' || nature === '' ? undefined : nature)
    const booted = Number(output("awk '/^btime/ {print $2}' /proc/stat"))
    const bootedAt = Date.parse(JSON.stringify(seen.facts?.['bootedAt']).slice(1, -1))
    expect(Math.abs(bootedAt / 1000 - booted)).toBeLessThanOrEqual(60)
  })

  test('reports accounts without their hashes, and every listening port', async () => {
    const accounts = outputLines('cut -d: -f1,3 /etc/passwd')
    const found = (seen.facts?.['accounts'] ?? []) as { name: string; uid: number }[]
    expect(found.map(({ name, uid }) => `${name}:${uid}`)).toEqual(
      expect.arrayContaining(accounts.slice(0, 20)),
    )
    const hash = output(`getent shadow ${place.username}`).split(':')[1] ?? 'no hash'
    expect(JSON.stringify(seen)).not.toContain(hash)
    expect(seen.facts?.['listening']).toContain(`tcp 127.0.0.1 ${sshd.port}`)
    const ports = () => new Set(outputLines("ss -Htln | awk '{print $4}'"))
    const before = ports()
    const again = only(await look(accessWith([key(sshd.port)])))
    const after = ports()
    const stayed = [...before].filter((it) => after.has(it)).map((it) => it.replace(/^.*:/, ''))
    const listed = list(again, 'listening').map((it) => it.split(' ')[2])
    expect(listed).toEqual(expect.arrayContaining(stayed))
  })

  test('names the host keys as ssh-keygen prints them, those it was not shown too', () => {
    const printed = outputLines(
      `for f in ${place.folder}/host-*.pub; do ssh-keygen -lf $f | cut -d' ' -f2; done`,
    )
    expect(values('ssh_host_key').toSorted()).toEqual(printed.toSorted())
    expect(seen.sourceKey).toBe(`${HOST}|${values('ssh_host_key')[0]}`)
  })

  test('writes nothing: no file of the account is new or changed', async () => {
    // its database is its own here, and whoever may write to one leaves the time of reading there
    const files = () =>
      output(`find ${place.folder}/home -not -path '*/rpm/db*' -printf '%p %T@ %s\\n' | sort`)
    const before = files()
    await look(accessWith([key(sshd.port)]))
    expect(files()).toBe(before)
  })

  test('reports the same of a host whose server is dropbear', async () => {
    const dropbear = await place.dropbear()
    const other = only(await look(accessWith([key(dropbear.port)])))
    expect(other.software).toEqual(seen.software)
    const plain = (it: Observation) => it.identifiers.filter(({ type }) => type !== 'ssh_host_key')
    expect(plain(other)).toEqual(plain(seen))
    expect(other.facts?.['sshServer']).toMatch(/^dropbear_/)
    const byPassword = accessWith([passwordOf(place, dropbear.port)])
    await look(byPassword)
    expect(byPassword.outcomes).toEqual([{ name: 'password', address: HOST, outcome: 'accepted' }])
  })

  test('a range: every address where a login succeeds, at the port of the credential', async () => {
    const everywhere = await place.sshd(['ListenAddress 0.0.0.0'])
    const access = accessWith([key(everywhere.port)])
    const found: Observation[] = []
    const progress: Progress[] = []
    const options = {
      signal: new AbortController().signal,
      now: () => new Date(),
      access,
      onProgress: (it: Progress) => void progress.push(it),
    }
    for await (const one of ssh.run({ kind: 'cidr', cidr: '127.88.0.0/30' }, options)) found.push(one)
    const addresses = found.map(({ identifiers }) => identifiers[0]?.value)
    expect(new Set(addresses)).toEqual(new Set(['127.88.0.0', '127.88.0.1', '127.88.0.2', '127.88.0.3']))
    expect(found).toHaveLength(4)
    expect(progress.at(-1)).toMatchObject({ done: 4, total: 4, found: 4 })
  })

  test('a login shell that talks, of any kind, changes nothing', async () => {
    const noise = "echo 'welcome =====begin'; printf '\\033[31mred\\033[0m\\n' ; echo noise >&2\n"
    execFileSync('/bin/sh', ['-c', 'cat >"$0" && chmod 644 "$0"', `${place.folder}/home/.bashrc`], {
      input: noise,
    })
    const found = only(await look(accessWith([key(sshd.port)])))
    execFileSync('rm', [`${place.folder}/home/.bashrc`])
    expect(found.software).toEqual(seen.software)
  })
})

const list = ({ facts = {} }: Observation, name: string): string[] => (facts[name] ?? []) as string[]

interface IpLink {
  readonly ifname: string
  readonly mtu: number
  readonly flags: readonly string[]
  readonly link_type: string
  readonly address: string
  readonly addr_info: readonly { local: string; prefixlen: number; scope: string; dynamic?: boolean }[]
}

/** A real package in a real database, which the account's own settings of rpm name. */
function scratchRpm({ folder, username }: SshLab): void {
  const spec = [
    'Name: scratch-tool',
    'Version: 1.2',
    'Release: 3',
    'Summary: nothing',
    'License: none',
    'BuildArch: noarch',
    '%description',
    'Nothing.',
    '%files',
  ].join('\n')
  const commands = `cd ${folder}/home && mkdir -p rpm && printf '%s\\n' "$SPEC" >rpm/scratch.spec &&
printf '%%_dbpath ${folder}/home/rpm/db\\n%%_topdir ${folder}/home/rpm\\n' >.rpmmacros &&
rpmbuild -bb rpm/scratch.spec && rpm --initdb && rpm -i --nodeps --justdb rpm/RPMS/noarch/*.rpm &&
chown -R ${username} .`
  execFileSync('/bin/sh', ['-c', commands], {
    stdio: 'ignore',
    env: { ...process.env, HOME: `${folder}/home`, SPEC: spec },
  })
}
