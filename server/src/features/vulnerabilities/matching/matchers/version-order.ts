import { compareToBound, schemeOf, type Scheme } from '#features/software/software.ts'
import type { Compare } from './affected-versions.ts'

/** In which order versions stand, by where a rule comes from. */
export interface VersionOrder {
  readonly algorithm: Scheme
  readonly compare: Compare
}

export function versionOrderOf(ecosystem: string, name = ''): VersionOrder {
  const algorithm = ecosystem === 'cpe' ? schemeOfProduct(name) : schemeOf(ecosystem)
  return { algorithm, compare: (a, b) => compareToBound(algorithm, a, b) }
}

/** CPE names contain the vendor, and a few vendors have a version scheme of their own. */
function schemeOfProduct(name: string): Scheme {
  if (name.startsWith('o:microsoft:windows')) return 'windows'
  if (/:(jdk|jre|openjdk|java_se|graalvm)$/.test(name)) return 'jvm'
  return 'generic'
}
