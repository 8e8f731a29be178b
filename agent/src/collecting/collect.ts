import type { Json } from '../json.ts'
import type { Machine } from './machine.ts'
import { sectionNames, type Collectors, type SectionName, type Stamps } from './section.ts'

/** For one section. On Windows and macOS the first one waits for the program that tells of all. */
const TIMEOUT_MS = 60_000

export interface Collected {
  readonly sections: Readonly<Partial<Record<SectionName, Json>>>
  /** Could not be read this time: the server leaves what it was told before. */
  readonly failed: readonly SectionName[]
  /** For people: `software: rpm failed: …`. */
  readonly problems: readonly string[]
}

interface Platform {
  readonly collectors: Collectors
  readonly stamps: Stamps
}

/** Only the code of the host's own platform is loaded. */
const platforms: Readonly<Partial<Record<NodeJS.Platform, () => Promise<Platform>>>> = {
  async linux() {
    const { linuxCollectors, linuxStamps } = await import('./linux/linux.ts')
    return { collectors: linuxCollectors, stamps: linuxStamps }
  },
  darwin: async () => ({ collectors: (await import('./darwin/macos.ts')).macosCollectors, stamps: {} }),
  win32: async () => ({ collectors: (await import('./windows/windows.ts')).windowsCollectors, stamps: {} }),
}

async function platformOf({ platform }: Machine): Promise<Platform> {
  const load = platforms[platform]
  if (!load) throw new Error(`this agent knows nothing of ${platform}; it runs on Linux, Windows and macOS`)
  return load()
}

/** Of the sections that have one. */
export async function stampsOf(machine: Machine): Promise<Readonly<Record<string, string>>> {
  const { stamps } = await platformOf(machine)
  const found = await Promise.all(
    Object.entries(stamps).map(async ([name, stamp]) => [name, await stamp(machine)] as const),
  )
  return Object.fromEntries(found.filter((it): it is [string, string] => it[1] !== undefined))
}

/**
 * All sections of the host but those in `without`, one after the other: an inventory must not be felt on the host.
 */
export async function collect(
  machine: Machine,
  without: ReadonlySet<string> = new Set(),
): Promise<Collected> {
  const { collectors } = await platformOf(machine)
  const sections: Partial<Record<SectionName, Json>> = {}
  const failed: SectionName[] = []
  const problems: string[] = []
  for (const name of sectionNames) {
    if (without.has(name)) continue
    try {
      const section = await withinTime(collectors[name]?.(machine))
      if (section !== undefined) sections[name] = section
    } catch (error) {
      failed.push(name)
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { sections, failed, problems }
}

async function withinTime<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
