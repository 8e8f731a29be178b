import type { Json } from '../json.ts'
import type { Machine } from './machine.ts'

/** Parts of a report. Each is sent only when it changed. */
export const sectionNames = [
  'os',
  'hardware',
  'nics',
  'software',
  'services',
  'listening',
  'users',
  'disks',
  'protection',
  'certs',
  'containers',
  'cloud',
] as const
export type SectionName = (typeof sectionNames)[number]

/**
 * A text that stays the same as long as the section does, read with a fraction of the work. Undefined: nothing tells.
 */
export type Stamps = Readonly<Partial<Record<SectionName, (machine: Machine) => Promise<string | undefined>>>>

/** What a platform can tell. Undefined: there is nothing of the kind. Throws when it could not be read. */
export type Collectors = Readonly<
  Partial<Record<SectionName, (machine: Machine) => Promise<Json | undefined>>>
>
