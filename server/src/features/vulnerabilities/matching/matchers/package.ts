import { affectedBy, fixedVersionOf, formatRule } from './affected-versions.ts'
import { builderOfLibrary, isDistributionPackage, isShippedByDistribution } from './distribution-packages.ts'
import { coordinatesOf } from './purl-coordinates.ts'
import { versionOrderOf } from './version-order.ts'
import type { Claim, Key, Match, Matcher } from './matcher.ts'

/** Matches packages of a registry by package URL: both the name and the version order are exact. */
export const packages: Matcher = {
  name: 'package',
  keysOf(installed) {
    const builtAs = builderOfLibrary(installed)
    const isItsOwn = !isDistributionPackage(installed) && (builtAs || !isShippedByDistribution(installed))
    const found = installed.purl !== undefined && isItsOwn ? coordinatesOf(installed.purl) : undefined
    const version = found?.version || installed.version
    if (!found || isNoVersion(version) || isMoving(found.ecosystem, version)) return []
    return [{ ...found, version, ...(builtAs && { builtAs }) }]
  },
  match: (_, key, claim) => judge(key, claim),
}

/** `actions/checkout@v4` and a branch are whatever was published last, and a commit has no place in the order. */
const isMoving = (ecosystem: string, version: string): boolean =>
  ecosystem === 'GitHub Actions' && !/^v?\d+\.\d+\.\d+/.test(version)

/** What builds write that were given no version. */
export function isNoVersion(version: string): boolean {
  const written = version.trim()
  return /^v?0\.0\.0(?:$|[-+])|^\(devel\)$|-development$/i.test(written) && !GO_PSEUDO_VERSION.test(written)
}

/**
 * What Go calls a commit of a module without a release: ordered by its time, and advisories have such bounds. With the
 * year 1 it stands for a module that was replaced by a folder, of no known version.
 */
const GO_PSEUDO_VERSION = /^v?0\.0\.0-(?:[\w.-]+\.)?(?!0001)\d{14}-[\da-f]{12}(?:\+incompatible)?$/

/** Whose versions begin with a `v` that advisories leave out. */
const WITH_V = new Set(['Go', 'GitHub Actions', 'SwiftURL'])

const CONFIDENCE = 0.97
/** Confidence of an advisory without a version bound: either every version is affected, or the bound is not known. */
const CONFIDENCE_WITHOUT_BOUND = 0.9
const CONFIDENCE_WHILE_INVESTIGATED = 0.4

function judge(key: Key, { feed, record, rule }: Claim): Match | undefined {
  if (rule.verdict === 'not_affected') return undefined
  const version = WITH_V.has(key.ecosystem) ? key.version.replace(/^v/, '') : key.version
  const { algorithm, compare } = versionOrderOf(key.ecosystem)
  const affected = affectedBy(rule, version, compare)
  if (!affected) return undefined
  const isOpenQuestion = rule.verdict === 'under_investigation'
  const confidence = affected.isEvery ? CONFIDENCE_WITHOUT_BOUND : CONFIDENCE
  const fixedVersion = fixedVersionOf(rule, affected, version, compare)
  return {
    grade: isOpenQuestion ? 'heuristic' : 'exact',
    confidence: isOpenQuestion ? CONFIDENCE_WHILE_INVESTIGATED : confidence,
    fixedVersion,
    kernel: '',
    derivation: {
      by: 'package',
      feed,
      record,
      ecosystem: key.ecosystem,
      package: key.package,
      rule: formatRule(rule),
      algorithm,
      installedVersion: version,
      fixedVersion,
      notes: ['the package URL names exactly this package'],
    },
  }
}
