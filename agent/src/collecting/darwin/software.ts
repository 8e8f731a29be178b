import { isObject, present, textIn, type Json, type JsonObject } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { usedPercent } from '../used-space.ts'
import { profileOf, type Row } from './system-profiler.ts'

/** Where Homebrew keeps what it installed: on Apple silicon, and on Intel. */
const CELLARS = ['/opt/homebrew/Cellar', '/usr/local/Cellar']

/** `{complete, items}`: applications of /Applications and of users, and what Homebrew installed. */
export async function installedSoftware(machine: Machine): Promise<Json> {
  const applications = (await profileOf(machine, 'SPApplicationsDataType')).flatMap(applicationIn)
  const cellars = await Promise.all(CELLARS.map((it) => brewed(machine, it)))
  const items = [...applications, ...cellars.flatMap((it) => it ?? [])]
  const order = (it: JsonObject): string =>
    ['origin', 'name', 'user', 'version'].map((name) => textIn(it[name])).join('\0')
  return {
    complete: ['macos', ...(cellars.some((it) => it !== undefined) ? ['brew'] : [])],
    items: items.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)),
  }
}

function applicationIn(row: Row): JsonObject[] {
  const [path, version] = [textIn(row['path']), textIn(row['version'])]
  const [, user] = /^\/Users\/([^/]+)\/Applications\//.exec(path) ?? []
  const isListed = user !== undefined || /^(\/System)?\/Applications\//.test(path)
  const name = /\/([^/]+)\.app$/.exec(path)?.[1]
  // an application within another one is a part of it
  if (!isListed || name === undefined || path.includes('.app/')) return []
  return [{ version, ...present({ origin: 'macos', name, vendor: vendorIn(row), user }) }]
}

/** `Developer ID Application: Mozilla Corporation (43AQ936H96)`: who signed it. */
function vendorIn(row: Row): string | undefined {
  if (row['obtained_from'] === 'apple') return 'Apple'
  const signers = Array.isArray(row['signed_by']) ? row['signed_by'] : []
  return /^Developer ID Application: (.+?)(?: \([A-Z0-9]{10}\))?$/.exec(textIn(signers[0]))?.[1]
}

/** A folder for each formula, and in it one for each version; undefined where there is no Homebrew. */
async function brewed(machine: Machine, cellar: string): Promise<JsonObject[] | undefined> {
  const names = (await machine.list(cellar)).filter((it) => !it.startsWith('.'))
  if (names.length === 0) return undefined
  const found = await Promise.all(
    names.map(async (name): Promise<JsonObject[]> => {
      const versions = await machine.list(`${cellar}/${name}`)
      return versions
        .filter((it) => /^\d/.test(it) || /^[A-Z]*HEAD/.test(it))
        .map((version) => ({ origin: 'brew', name, version }))
    }),
  )
  return found.flat()
}

/** `{disks, fileSystems}`. The serial numbers are those of NVMe disks. */
export async function disks(machine: Machine): Promise<Json> {
  const volumes = await profileOf(machine, 'SPStorageDataType')
  const controllers = await profileOf(machine, 'SPNVMeDataType')
  const nvme = controllers.flatMap((it) => (Array.isArray(it['_items']) ? it['_items'].filter(isObject) : []))
  return {
    disks: nvme.map((it) =>
      present({
        name: textIn(it['bsd_name']) || textIn(it['_name']),
        model: textIn(it['device_model']) || textIn(it['_name']),
        serial: textIn(it['device_serial']).trim(),
        sizeBytes: numberIn(it['size_in_bytes']),
        type: 'ssd',
        isRemovable: it['removable_media'] === 'yes',
      }),
    ),
    fileSystems: volumes
      .filter((it) => textIn(it['mount_point']) !== '')
      .map((it) => {
        const [size, free] = [numberIn(it['size_in_bytes']), numberIn(it['free_space_in_bytes'])]
        return present({
          device: textIn(it['bsd_name']),
          mountedAt: textIn(it['mount_point']),
          type: textIn(it['file_system']).toLowerCase(),
          sizeBytes: size,
          usedPercent: usedPercent(size, free),
        })
      }),
  }
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
