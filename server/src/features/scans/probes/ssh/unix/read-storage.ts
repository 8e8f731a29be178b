import { linesOf, word } from '../terminal-text.ts'

export interface Disk {
  readonly name: string
  readonly bytes?: number
  readonly model?: string
  readonly serial?: string
  readonly isRotating?: boolean
}

const SECTOR_BYTES = 512

/** Linux: name, sectors, rotating, model, serial by tabs. macOS: `diskutil list`. BSD: names alone. */
export function disksIn(text: string): readonly Disk[] {
  const lines = linesOf(text)
  if (lines.some((line) => line.startsWith('/dev/disk'))) return lines.flatMap(fromDiskutil)
  if (!text.includes('\t'))
    return text
      .split(/[\s,]+/)
      .flatMap((it) => word(it.replace(/:.*$/, '')) ?? [])
      .map((name) => ({ name }))
  return lines.flatMap((line) => {
    const [name, sectors, rotating, model, serial] = line.split('\t', 6).map((it) => word(it))
    if (name === undefined || sectors === undefined || !/^\d{1,15}$/.test(sectors)) return []
    return [
      {
        name,
        bytes: Number(sectors) * SECTOR_BYTES,
        ...(rotating !== undefined && { isRotating: rotating === '1' }),
        ...(model !== undefined && { model }),
        ...(serial !== undefined && { serial }),
      },
    ]
  })
}

/** `   0:      GUID_partition_scheme                        *500.3 GB   disk0` */
function fromDiskutil(line: string): Disk[] {
  const [, size, unit, name] =
    /\*(\d{1,6}(?:\.\d)?) ([KMGTP])B +(disk\d{1,4})\s*$/.exec(line.slice(0, 200)) ?? []
  if (size === undefined || unit === undefined || name === undefined) return []
  return [{ name, bytes: Math.round(Number(size) * 1_000 ** ('KMGTP'.indexOf(unit) + 1)) }]
}

export interface FileSystem {
  readonly mount: string
  readonly device: string
  readonly kind?: string
  readonly bytes: number
  readonly used: number
}

/** File systems in memory, of read-only images and of the kernel, which are no storage. */
const NO_STORAGE =
  /^(tmpfs|devtmpfs|devfs|squashfs|efivarfs|ramfs|proc|sysfs|procfs|fdescfs|linprocfs|autofs|map|udev|none|shm|overlay|fuse\.snapfuse)$/

/** `df -Pkl`, with the types from `/proc/mounts` or mount(8). The root is listed whatever its type. */
export function fileSystemsIn(df: string, mounts: string): readonly FileSystem[] {
  const kinds = kindsIn(mounts)
  return linesOf(df).flatMap((line) => {
    const [, device, size, used, mount] =
      /^(\S.{0,250}?)\s+(\d{1,15})\s+(\d{1,15})\s+-?\d{1,15}\s+\d{1,3}%\s+(?:\d+\s+\d+\s+\d+%\s+)?(\/.*)$/.exec(
        line.slice(0, 1_000),
      ) ?? []
    const at = word(mount)
    const from = word(device)
    if (at === undefined || from === undefined) return []
    const kind = kinds.get(at)
    if (at !== '/' && NO_STORAGE.test(kind ?? from)) return []
    const bytes = { bytes: Number(size) * 1_024, used: Number(used) * 1_024 }
    return [{ mount: at, device: from, ...(kind !== undefined && { kind }), ...bytes }]
  })
}

/** `/dev/vda / ext4 rw 0 0`; `/dev/disk1s1 on / (apfs, local)`; `/dev/sd0a on / type ffs (local)`. The last one counts. */
function kindsIn(text: string): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>()
  for (const line of linesOf(text)) {
    const [, mount, kind] =
      /^\S+ on (\S+) (?:type )?\(?([\w.]+)/.exec(line.slice(0, 1_000)) ??
      /^\S+ (\S+) ([\w.]+) /.exec(line.slice(0, 1_000)) ??
      []
    if (mount !== undefined && kind !== undefined) kinds.set(mount.replaceAll(String.raw`\040`, ' '), kind)
  }
  return kinds
}
