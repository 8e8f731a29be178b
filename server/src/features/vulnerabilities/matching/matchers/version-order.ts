import { compareToBound, schemeOf, type Scheme } from '#features/software/software.ts'
import type { Compare } from './affected-versions.ts'

/** The version scheme of the ecosystem that a rule belongs to. */
export interface VersionOrder {
  readonly algorithm: Scheme
  readonly compare: Compare
}

export function versionOrderOf(ecosystem: string, name = ''): VersionOrder {
  const algorithm = ecosystem === 'cpe' ? schemeOfProduct(name) : schemeOf(ecosystem)
  return { algorithm, compare: (a, b) => compareToBound(algorithm, a, b) }
}

/** CPE names contain the vendor, and a few vendors have their own version scheme. */
function schemeOfProduct(name: string): Scheme {
  if (name.startsWith('o:microsoft:windows')) return 'windows'
  if (/:(jdk|jre|openjdk|java_se|graalvm)$/.test(name)) return 'jvm'
  return 'generic'
}
