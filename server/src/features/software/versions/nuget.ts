import { compareSemver } from './semver.ts'
import type { Sign } from './version-parts.ts'

/** NuGet: semantic versioning with up to four numbers, case-insensitive. Undefined when one is not a version. */
export function compareNuget(a: string, b: string): Sign | undefined {
  return compareSemver(a.toLowerCase(), b.toLowerCase())
}
