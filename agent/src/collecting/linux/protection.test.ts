import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { thisMachine } from '../machine.ts'
import { diskEncryption } from './disk-encryption.ts'
import { protection } from './protection.ts'
import { userAccounts } from './user-accounts.ts'

const roots: string[] = []
afterEach(async () => {
  for (const it of roots.splice(0)) await rm(it, { recursive: true })
})

/** A host with these files; a path that ends in a slash is an empty folder. */
async function host(files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-agent-'))
  roots.push(root)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(path.endsWith('/') ? join(root, path) : dirname(join(root, path)), { recursive: true })
    if (!path.endsWith('/')) await writeFile(join(root, path), text)
  }
  return thisMachine(root)
}

const mapped = (device: string, [name, uuid]: readonly [string, string], below: string) => ({
  [`/sys/block/${device}/dm/name`]: `${name}\n`,
  [`/sys/class/block/${device}/dm/uuid`]: `${uuid}\n`,
  [`/sys/class/block/${device}/slaves/${below}/`]: '',
})

const luks = mapped('dm-0', ['crypt', 'CRYPT-LUKS2-0a-crypt'], 'sda3')
const lvm = mapped('dm-1', ['vg-root', 'LVM-abc'], 'dm-0')
const disk = { '/sys/class/block/sda3/': '', '/sys/class/block/sdb1/': '' }

test.each([
  ['a partition', { '/proc/self/mounts': '/dev/sda3 / ext4 rw 0 0\n', ...disk }, 'none'],
  ['LUKS', { '/proc/self/mounts': '/dev/mapper/crypt / ext4 rw 0 0\n', ...luks, ...disk }, 'luks'],
  [
    'LVM on LUKS',
    { '/proc/self/mounts': '/dev/mapper/vg-root / xfs rw 0 0\n', ...luks, ...lvm, ...disk },
    'luks',
  ],
  [
    'another disk than the encrypted one',
    {
      '/proc/self/mounts': '/dev/sdb1 / ext4 rw 0 0\n/dev/mapper/crypt /data ext4 rw 0 0\n',
      ...luks,
      ...disk,
    },
    'none',
  ],
  [
    'LVM on an encrypted disk and one that is not',
    {
      '/proc/self/mounts': '/dev/mapper/vg-root / xfs rw 0 0\n',
      ...luks,
      ...lvm,
      '/sys/class/block/dm-1/slaves/sdb1/': '',
      ...disk,
    },
    'none',
  ],
  ['ZFS', { '/proc/self/mounts': 'rpool/ROOT / zfs rw 0 0\n', ...disk }, undefined],
  ['a container', { '/proc/self/mounts': 'overlay / overlay rw 0 0\n', ...disk }, undefined],
  ['a name by udev', { '/proc/self/mounts': '/dev/root / ext4 rw 0 0\n', ...disk }, undefined],
  ['no list of mounts', {}, undefined],
])('the root file system on %s: %s', async (_, files, expected) => {
  expect(await diskEncryption(await host(files))).toBe(expected)
})

const WANTS = '/etc/systemd/system/multi-user.target.wants'

test.each([
  ['ufw', { '/etc/ufw/ufw.conf': 'ENABLED=yes\n' }, 'ufw'],
  ['nftables', { '/etc/systemd/system/sysinit.target.wants/nftables.service': '' }, 'nftables'],
  ['ufw that is off', { '/etc/ufw/ufw.conf': 'ENABLED=no\n', [`${WANTS}/cron.service`]: '' }, 'none'],
  ['no firewall', { [`${WANTS}/ssh.service`]: '' }, 'none'],
  ['a system without systemd', { '/etc/runlevels/default/sshd': '' }, undefined],
])('firewall: %s', async (_, files, expected) => {
  expect(await protection(await host(files))).toMatchObject({ antivirus: [] })
  expect(((await protection(await host(files))) as { firewall?: string }).firewall).toBe(expected)
})

test('accounts are told with their numbers', async () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\ntoor:x:0:0::/root:/bin/sh\nwww:x:33:33::/:/bin/false\n'
  expect(await userAccounts(await host({ '/etc/passwd': passwd }))).toMatchObject([
    { name: 'root', uid: 0 },
    { name: 'toor', uid: 0 },
  ])
})
