import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Programs that tests meet as real counterparts, files of libraries they are made of, and the Debian packages that bring them. */
const PACKAGES = {
  '/etc/gss/mech.d/mech.ntlmssp.conf': 'gss-ntlmssp',
  '/usr/lib/postgresql/15/bin': 'postgresql-15',
  '/usr/lib/python3/dist-packages/gssapi': 'python3-gssapi',
  '/usr/lib/python3/dist-packages/pymodbus': 'python3-pymodbus',
  '/usr/lib/python3/dist-packages/serial': 'python3-serial',
  '/usr/lib/python3/dist-packages/serial_asyncio': 'python3-serial-asyncio',
  '/usr/share/gocode/src/github.com/google/uuid': 'golang-github-google-uuid-dev',
  '/usr/share/gocode/src/github.com/vmware/govmomi/simulator': 'golang-github-vmware-govmomi-dev',
  aiosmtpd: 'python3-aiosmtpd',
  'avahi-daemon': 'avahi-daemon',
  busybox: 'busybox',
  chromium: 'chromium',
  'dbus-daemon': 'dbus',
  dnsmasq: 'dnsmasq-base',
  dropbear: 'dropbear-bin',
  fping: 'fping',
  'fusioninventory-agent': 'fusioninventory-agent',
  go: 'golang-go',
  ip: 'iproute2',
  ippeveprinter: 'cups-ipp-utils',
  libvirtd: 'libvirt-daemon',
  lldpd: 'lldpd',
  minidlnad: 'minidlna',
  mosquitto: 'mosquitto',
  nft: 'nftables',
  nginx: 'nginx-light',
  nmap: 'nmap',
  'ocsinventory-agent': 'ocsinventory-agent',
  openssl: 'openssl',
  pacman: 'pacman-package-manager',
  pdffonts: 'poppler-utils',
  pgbouncer: 'pgbouncer',
  ping: 'iputils-ping',
  promtool: 'prometheus',
  qpdf: 'qpdf',
  rpmbuild: 'rpm',
  smbd: 'samba',
  snmpd: 'snmpd',
  snmpget: 'snmp',
  snmpsimd: 'snmpsim',
  soffice: 'libreoffice-calc-nogui',
  sshd: 'openssh-server',
  tcpdump: 'tcpdump',
  unzip: 'unzip',
  virsh: 'libvirt-clients',
  xmllint: 'libxml2-utils',
  zip: 'zip',
}

/** As root on Debian and its kin, installs what is missing. Where that fails, tests that need it say so and are skipped. */
export function installPackagesIfNeeded() {
  const missing = Object.keys(PACKAGES).filter((program) => !isPresent(program))
  if (missing.length === 0 || process.getuid?.() !== 0 || !isPresent('apt-get')) return
  const packages = missing.map((program) => PACKAGES[program])
  process.stderr.write(`Installing ${packages.join(', ')} for the tests.\n`)
  const install = () => runApt('update') && runApt('install', '--yes', '--no-install-recommends', ...packages)
  // A mirror that stumbles once is no reason to test less.
  const isDone = install() || install()
  if (!isDone) process.stderr.write('apt-get failed; the tests that need them are skipped.\n')
}

function isPresent(program) {
  if (program.startsWith('/')) return existsSync(program)
  const found = spawnSync('/bin/sh', ['-c', 'command -v "$0"', program], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  })
  return found.status === 0
}

function runApt(...args) {
  const done = spawnSync('apt-get', ['--quiet', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 900_000,
  })
  return done.status === 0
}
