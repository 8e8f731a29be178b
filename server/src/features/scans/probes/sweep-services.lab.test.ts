import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { recognize, signalsOf } from '#features/recognition/recognition.ts'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab } from '#test/support/network/network-lab.ts'
import { busiestSecond, resets } from '#test/support/network/packet-counts.ts'

const run = promisify(execFile)
const [WEB, SHELL, FILES, PRINTER] = ['10.79.0.10', '10.79.0.20', '10.79.0.30', '10.79.0.40']
const LONG = 180_000

needs(
  'root',
  'ip',
  'nginx',
  'sshd',
  'smbd',
  'ippeveprinter',
  'avahi-daemon',
  'dbus-daemon',
  'snmpd',
  'nmap',
  'openssl',
)('services that a sweep meets', () => {
  let lab: NetworkLab
  let seen: readonly Observation[]

  beforeAll(async () => {
    lab = await networkLab({
      scanner: '10.79.0.1/24',
      machines: { web: [WEB], shell: [SHELL], files: [FILES], printer: [PRINTER] },
    })
    await chmod(lab.folder, 0o755)
    await Promise.all([startWeb(lab), startShell(lab), startFiles(lab), startPrinter(lab)])
    await until(async () => {
      seen = (await lab.sweep('10.79.0.0/26', '10.79.0.1')).seen
      return factsOf(PRINTER)?.['ipp'] !== undefined && factsOf(FILES)?.['smb'] !== undefined
    })
  }, LONG)
  afterAll(() => lab?.close())

  const of = (address: string) => seen.find((it) => it.sourceKey.startsWith(`${address}|`))
  const factsOf = (address: string) => of(address)?.facts

  test('a web server, in clear and over TLS', () => {
    expect(factsOf(WEB)).toMatchObject({
      http: { server: expect.stringMatching(/^nginx/), title: 'RouterOS router configuration page' },
      https: { server: expect.stringMatching(/^nginx/) },
      tls: {
        subject: 'CN=router.example.test, O=MikroTik',
        issuer: 'CN=router.example.test, O=MikroTik',
        names: 'DNS:router.example.test',
      },
    })
    const web = of(WEB)
    expect(web && recognize(signalsOf(web))).toMatchObject({ vendor: 'MikroTik' })
  })

  test('a shell, as nmap hears it, and the engine of SNMP', async () => {
    const heard = await lab.run('scanner', 'nmap', '-n', '-Pn', '-p', '22', '--script', 'banner', SHELL)
    expect(factsOf(SHELL)?.['sshBanner']).toBe(/banner: (.*)/.exec(heard)?.[1]?.trim())
    const printed = await lab.run(
      'scanner',
      'snmpget',
      '-v2c',
      '-c',
      'public',
      '-m',
      '',
      '-Oqvx',
      SHELL,
      '1.3.6.1.6.3.10.2.1.1.0',
    )
    const value = printed.replaceAll(/[^0-9A-F]/gi, '').toLowerCase()
    expect(of(SHELL)?.identifiers).toContainEqual({ type: 'snmp_engine', value })
  })

  test('a file server', async () => {
    const script = 'smb-protocols,smb2-security-mode'
    const heard = await lab.run('scanner', 'nmap', '-n', '-Pn', '-p', '445', '--script', script, FILES)
    expect(heard.replaceAll(':', '')).toContain('311')
    expect(heard).toContain('Message signing enabled and required')
    expect(factsOf(FILES)).toMatchObject({ smb: { dialect: '3.1.1', signing: 'required' } })
  })

  test('are asked with at most 40 packets a second to one host, and without resets', async () => {
    const counted = await busiestSecond(
      lab,
      { machine: 'web', counter: 'eth0/statistics/rx_packets' },
      `${WEB}/32`,
    )
    process.stdout.write(
      `packets to a web server: ${counted.total}, ${counted.busiest} in the busiest second\n`,
    )
    expect(counted.busiest).toBeLessThanOrEqual(40)
    const before = await resets(lab)
    // each alone: this machine's own closed ports would refuse by resets
    for (const address of [WEB, SHELL, FILES, PRINTER]) await lab.sweep(`${address}/32`)
    expect(await resets(lab)).toBe(before)
  })

  test('a printer', () => {
    expect(factsOf(PRINTER)).toMatchObject({ ipp: { makeAndModel: 'HP LaserJet 600 M602' } })
    const printer = of(PRINTER)
    expect(printer && recognize(signalsOf(printer))).toMatchObject({ deviceType: 'printer', vendor: 'HP' })
  })
})

/** It speaks HTTP at the ports of other services too: a busy host, of which they make nothing. */
async function startWeb(lab: NetworkLab): Promise<void> {
  const folder = join(lab.folder, 'www')
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), '<html><title>RouterOS router configuration page</title>')
  const [key, cert] = [join(lab.folder, 'key.pem'), join(lab.folder, 'cert.pem')]
  const names = [
    '-subj',
    '/O=MikroTik/CN=router.example.test',
    '-addext',
    'subjectAltName=DNS:router.example.test',
  ]
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
    ...names,
  ])
  const file = join(lab.folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (it) => `${it}_temp_path ${lab.folder};`,
  )
  await writeFile(
    file,
    `daemon off; user root; pid ${lab.folder}/nginx.pid; error_log ${lab.folder}/nginx.log; events {}
     http { access_log off; default_type text/html; ${temporary.join(' ')} root ${folder};
       server { listen 80; listen 445; listen 554; listen 631; listen 443 ssl; ssl_certificate ${cert}; ssl_certificate_key ${key}; } }`,
  )
  await lab.serve(
    'web',
    ['tcp 80', 'tcp 443', 'tcp 445', 'tcp 554', 'tcp 631'],
    ['nginx', '-e', `${lab.folder}/nginx.log`, '-c', file],
  )
}

async function startShell(lab: NetworkLab): Promise<void> {
  const key = join(lab.folder, 'hostkey')
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const snmp = join(lab.folder, 'snmpd.conf')
  await mkdir(join(lab.folder, 'snmp-state'))
  await writeFile(snmp, 'rocommunity public\n')
  const prepare = 'mount -t tmpfs none /run && mkdir -p /run/sshd && exec "$@"'
  const sshd = ['/usr/sbin/sshd', '-D', '-f', '/dev/null', '-h', key, '-o', 'PidFile=none']
  const state = `SNMP_PERSISTENT_DIR=${lab.folder}/snmp-state`
  await Promise.all([
    lab.serve('shell', ['tcp 22'], ['unshare', '-m', 'sh', '-c', prepare, 'sh', ...sshd]),
    lab.serve(
      'shell',
      ['udp 161'],
      ['env', state, 'MIBS=', 'snmpd', '-f', '-Ln', '-C', '-c', snmp, '-I', '-smux'],
    ),
  ])
}

async function startFiles(lab: NetworkLab): Promise<void> {
  const folder = join(lab.folder, 'smb')
  await mkdir(join(folder, 'private'), { recursive: true })
  const paths = ['private', 'lock', 'state', 'cache', 'pid'].map(
    (it) => `${it} ${it === 'private' ? 'dir' : 'directory'} = ${folder}`,
  )
  const file = join(lab.folder, 'smb.conf')
  const log = `log file = ${folder}/log`
  await writeFile(
    file,
    ['[global]', 'server signing = mandatory', `ncalrpc dir = ${folder}/rpc`, log, ...paths, ''].join('\n'),
  )
  await lab.serve('files', ['tcp 445'], ['smbd', '--foreground', '--no-process-group', '-s', file])
}

/** The printer insists on announcing itself, for which it wants avahi, which it talks to over a bus of its own here. */
async function startPrinter(lab: NetworkLab): Promise<void> {
  const [spool, bus, avahi] = ['spool', 'bus.conf', 'avahi.conf'].map((it) => join(lab.folder, it))
  await mkdir(spool ?? '')
  const allowed = '<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>'
  await writeFile(
    bus ?? '',
    `<busconfig><type>system</type><listen>unix:path=/run/bus</listen><policy context="default">${allowed}</policy></busconfig>`,
  )
  await writeFile(avahi ?? '', '[server]\nallow-interfaces=eth0\nenable-dbus=yes\n')
  const script = [
    'mount -t tmpfs none /run && mkdir -p /run/avahi-daemon',
    `dbus-daemon --config-file ${bus} --fork --nopidfile`,
    'export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/bus',
    `avahi-daemon -f ${avahi} --no-drop-root --no-chroot --no-rlimits &`,
    `until ippeveprinter -p 631 -r off -d ${spool} -M HP -m "LaserJet 600 M602" "Front desk"; do sleep 0.2; done`,
  ]
  await lab.serve('printer', ['tcp 631'], ['unshare', '-m', 'sh', '-c', script.join('\n')])
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LONG / 2
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not come to that')
    await sleep(200)
  }
}
