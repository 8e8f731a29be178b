import { statfs } from 'node:fs/promises'
import { present, type Json, type JsonObject } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { usedPercent } from '../used-space.ts'

const SECTOR_BYTES = 512
const NO_DISK = /^(loop|ram|zram|dm-|md|sr|fd|nbd)/
const FILE_SYSTEMS: ReadonlySet<string> = new Set([
  'ext2',
  'ext3',
  'ext4',
  'xfs',
  'btrfs',
  'zfs',
  'f2fs',
  'vfat',
  'ntfs3',
  'jfs',
])

/** `{disks, fileSystems}`: block devices by /sys/block, and what is mounted with the space used in steps of 5 %. */
export async function disks(machine: Machine): Promise<Json> {
  const names = (await machine.list('/sys/block')).filter((it) => !NO_DISK.test(it))
  return {
    disks: await Promise.all(names.map((name) => diskOf(machine, name))),
    fileSystems: await fileSystems(machine),
  }
}

async function diskOf(machine: Machine, name: string): Promise<JsonObject> {
  const read = async (path: string): Promise<string | undefined> =>
    (await machine.read(`/sys/block/${name}/${path}`))?.trim()
  const sectors = Number((await read('size')) ?? 0)
  const rotational = await read('queue/rotational')
  return present({
    name,
    vendor: await read('device/vendor'),
    model: await read('device/model'),
    serial: (await read('device/serial')) ?? (await read('serial')),
    sizeBytes: sectors > 0 ? sectors * SECTOR_BYTES : undefined,
    type: rotational === undefined ? undefined : rotational === '1' ? 'hdd' : 'ssd',
    isRemovable: (await read('removable')) === '1',
  })
}

async function fileSystems(machine: Machine): Promise<JsonObject[]> {
  const mounts = ((await machine.read('/proc/self/mounts')) ?? '').split('\n').map((it) => it.split(' '))
  const byDevice = new Map<string, readonly [string, string]>()
  for (const [device = '', path = '', type = ''] of mounts)
    if (FILE_SYSTEMS.has(type) && !byDevice.has(device)) byDevice.set(device, [unescaped(path), type])
  return Promise.all(
    [...byDevice].map(async ([device, [mountedAt, type]]) =>
      present({ device, mountedAt, type, ...(await spaceOf(mountedAt)) }),
    ),
  )
}

/** Of a file system that does not answer nothing is told. */
async function spaceOf(path: string): Promise<JsonObject> {
  try {
    const { bsize, blocks, bfree } = await statfs(path)
    if (blocks === 0) return {}
    return present({ sizeBytes: bsize * blocks, usedPercent: usedPercent(blocks, bfree) })
  } catch {
    return {}
  }
}

/** Blanks stand in /proc/mounts as \040. */
const unescaped = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
