import type { Json } from '../json.ts'
import { linuxCollectors } from './linux/linux.ts'
import type { Machine } from './machine.ts'
import { sectionNames, type Collectors, type SectionName } from './section.ts'

const TIMEOUT_MS = 20_000

export interface Collected {
  readonly sections: Readonly<Partial<Record<SectionName, Json>>>
  /** Could not be read this time: the server leaves what it was told before. */
  readonly failed: readonly SectionName[]
  /** For people: `software: rpm failed: …`. */
  readonly problems: readonly string[]
}

const platforms: Readonly<Partial<Record<NodeJS.Platform, Collectors>>> = {
  linux: linuxCollectors,
}

/** All sections of the host, one after the other: an inventory must not be felt on the host. */
export async function collect(machine: Machine): Promise<Collected> {
  const collectors = platforms[machine.platform]
  if (!collectors) throw new Error(`this agent collects on Linux, not yet on ${machine.platform}`)
  const sections: Partial<Record<SectionName, Json>> = {}
  const failed: SectionName[] = []
  const problems: string[] = []
  for (const name of sectionNames) {
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
