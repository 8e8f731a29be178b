import type { Machine } from '../machine.ts'

/** Volumes upon volumes upon volumes; a loop is no machine. */
const DEPTH_MAX = 8

/**
 * `luks` where the volume of the root file system lies on an encrypted one, `none` where it does not; undefined where it
 * cannot be told, as with overlays, networks and ZFS, which encrypts by itself.
 */
export async function diskEncryption(machine: Machine): Promise<string | undefined> {
  const mounts = ((await machine.read('/proc/self/mounts')) ?? '').split('\n').map((it) => it.split(' '))
  const source = mounts.findLast(([, path]) => path === '/')?.[0] ?? ''
  if (!source.startsWith('/dev/')) return undefined
  const mapped = await mappedNames(machine)
  const name = mapped.get(source.replace(/^\/dev\/mapper\//, '')) ?? source.slice('/dev/'.length)
  // what neither is a block device nor a part of one is a name that udev gave it
  const isDevice = (await machine.list('/sys/class/block')).includes(name)
  if (!isDevice) return undefined
  return (await isOnEncrypted(machine, name, DEPTH_MAX)) ? 'luks' : 'none'
}

/** Devices of the device mapper (`dm-0`) by the names that people and mounts have for them. */
async function mappedNames(machine: Machine): Promise<ReadonlyMap<string, string>> {
  const devices = (await machine.list('/sys/block')).filter((it) => it.startsWith('dm-'))
  return new Map(
    await Promise.all(
      devices.map(async (it): Promise<[string, string]> => [
        (await machine.read(`/sys/block/${it}/dm/name`))?.trim() ?? it,
        it,
      ]),
    ),
  )
}

/** By the kind that cryptsetup writes: `CRYPT-LUKS2-<uuid>-<name>`. */
async function isOnEncrypted(machine: Machine, device: string, depth: number): Promise<boolean> {
  const kind = (await machine.read(`/sys/class/block/${device}/dm/uuid`)) ?? ''
  if (kind.startsWith('CRYPT-')) return true
  if (depth === 0) return false
  const below = await machine.list(`/sys/class/block/${device}/slaves`)
  if (below.length === 0) return false
  const each = await Promise.all(below.map((it) => isOnEncrypted(machine, it, depth - 1)))
  // a volume group may lie on several disks
  return each.every(Boolean)
}
