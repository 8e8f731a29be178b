import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../install.mjs'

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }

/** Where files of `deploy/` lie on a Debian host, and who may read them. */
const FILES = [
  ['debian/rollcall', 'usr/bin/rollcall', 0o755],
  ['debian/rollcall.env', 'etc/rollcall/rollcall.env', 0o640],
  ['debian/collector.env', 'etc/rollcall/collector.env', 0o640],
  ['systemd/rollcall.service', 'lib/systemd/system/rollcall.service', 0o644],
  ['systemd/rollcall-collector.service', 'lib/systemd/system/rollcall-collector.service', 0o644],
  ['systemd/rollcall.sysusers', 'usr/lib/sysusers.d/rollcall.conf', 0o644],
  ['debian/postinst', 'DEBIAN/postinst', 0o755],
  ['debian/prerm', 'DEBIAN/prerm', 0o755],
  ['debian/postrm', 'DEBIAN/postrm', 0o755],
]

/** Writes a Debian package of the tree into `folder`, and answers the name of the file. */
export function makeDebianPackage({ tree, folder, version, seconds }) {
  const architecture = ARCHITECTURES[process.arch]
  const name = `rollcall_${version}_${architecture}.deb`
  const root = join(folder, 'debian-root')
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(root, 'usr/lib'), { recursive: true })
  cpSync(tree, join(root, 'usr/lib/rollcall'), { recursive: true, verbatimSymlinks: true })
  for (const [from, to, mode] of FILES) {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    cpSync(join(ROOT, 'deploy', from), join(root, to))
    chmodSync(join(root, to), mode)
  }
  write(root, 'DEBIAN/conffiles', '/etc/rollcall/collector.env\n/etc/rollcall/rollcall.env\n')
  write(root, 'DEBIAN/control', control({ version, architecture, root }))
  // a umask of 077 would hide folders from the service
  for (const it of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (it.isDirectory()) chmodSync(join(it.parentPath, it.name), 0o755)
  const { status, stderr } = spawnSync(
    'dpkg-deb',
    ['--root-owner-group', '-Zgzip', '-z6', '--build', root, join(folder, name)],
    { encoding: 'utf8', env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) } },
  )
  rmSync(root, { recursive: true, force: true })
  if (status !== 0) throw new Error(`dpkg-deb failed: ${stderr}`)
  return name
}

function control({ version, architecture, root }) {
  const bytes = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => statSync(join(it.parentPath, it.name)).size)
    .reduce((sum, it) => sum + it, 0)
  return `Package: rollcall
Version: ${version}
Architecture: ${architecture}
Maintainer: The Rollcall authors <rollcall@localhost>
Installed-Size: ${Math.ceil(bytes / 1_024)}
Depends: libc6 (>= 2.28), libstdc++6, passwd, systemd, util-linux
Recommends: ca-certificates, fping, iproute2
Section: admin
Priority: optional
Description: open asset inventory
 Finds what is in the network, keeps what is known of it, and tells what is
 vulnerable. Server and collector; Node and PostgreSQL are inside.
`
}

function write(root, path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  chmodSync(join(root, path), 0o644)
}
