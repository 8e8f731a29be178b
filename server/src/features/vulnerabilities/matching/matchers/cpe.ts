import { listsFixesOnly } from '#features/software/software.ts'
import { affectedBy, fixedVersionOf, formatRule, type Affected } from './affected-versions.ts'
import { isDistributionPackage, isShippedByDistribution } from './distribution-packages.ts'
import { coordinatesOf } from './purl-coordinates.ts'
import { checkPlatform } from './platform-conditions.ts'
import { ownProduct, vendorEvidenceOfCpe, vendorEvidenceOfName } from './vendor-evidence.ts'
import { programBuiltAs, programsCalled } from './well-known-programs.ts'
import { versionOrderOf } from './version-order.ts'
import type { Claim, Installed, Key, Match, Matcher, VendorEvidence } from './matcher.ts'

/**
 * Matches by CPE name: rules of NVD and vendors. Not used for packages of distributions, whose backported versions do
 * not fit NVD's ranges, unless the distribution lists fixes only; nor for packages of registries, where the same name may be another product.
 */
export const cpe: Matcher = {
  name: 'cpe',
  keysOf(installed) {
    if (isDistributionPackage(installed)) return keysOfBuilt(installed)
    if (installed.purl !== undefined && coordinatesOf(installed.purl)) return []
    if (saysBackPorted(installed) || isShippedByDistribution(installed)) return []
    return keysOf(installed)
  },
  match: judge,
}

/**
 * Versions of distribution builds, such as the banner `OpenSSH_9.2p1 Debian-2+deb12u3`: fixes are backported without
 * a new upstream version.
 */
const BUILT_BY_DISTRIBUTION = /debian|ubuntu|\+deb\d|\bel\d|\.el\d|\.fc\d|-r\d+$|~bpo/i

const saysBackPorted = ({ origin, version }: Installed): boolean =>
  isSelfReported(origin) && BUILT_BY_DISTRIBUTION.test(version)

/** The version is what the service itself announces, which an administrator can change. */
export const isSelfReported = (origin: Installed['origin']): boolean =>
  origin === 'banner' || origin === 'snmp'

function keysOf(installed: Installed): Key[] {
  const named = ownProduct(installed)
  const evidenceByName = new Map<string, VendorEvidence>()
  for (const product of installed.products ?? []) {
    const evidence = vendorEvidenceOfName(installed, product)
    if (evidence !== undefined) evidenceByName.set(product.name, evidence)
  }
  if (!named) for (const program of programsCalled(installed)) evidenceByName.set(program, 'name')
  if (named) evidenceByName.set(named.name, vendorEvidenceOfCpe(installed, named))
  return [...evidenceByName].map(([name, evidence]) => ({
    ecosystem: 'cpe',
    package: name,
    version: (name === named?.name && named.version) || installed.version,
    evidence,
  }))
}

/**
 * Well-known programs of distributions that list fixes only: what is open in them no feed of theirs says. Their releases
 * follow those of the maker, and what they fixed besides is in the feed.
 */
function keysOfBuilt({ ecosystem, name, version, source }: Installed): Key[] {
  if (!listsFixesOnly(ecosystem)) return []
  const builtAs = { ecosystem, package: source?.name ?? name, needsMention: true }
  return programBuiltAs(builtAs.package).map((product) => ({
    ecosystem: 'cpe',
    package: product,
    version: (source?.version ?? version).replace(/-r\d+$/, '').replace(/_(?=p\d+$)/, ''),
    evidence: 'name',
    builtAs,
  }))
}

const CONFIDENCE_OF_SURE_NAME = 0.95
const CONFIDENCE_OF_MAPPED_NAME = 0.8
const SELF_REPORTED_CONFIDENCE = 0.5
const CONFIDENCE_WITH_DOUBTS = 0.45
const CONFIDENCE_WITHOUT_BOUND = 0.3
const CONFIDENCE_OF_DISPUTED = 0.35

function judge(installed: Installed, key: Key, claim: Claim): Match | undefined {
  const { feed, record, rule } = claim
  if (rule.verdict === 'not_affected') return undefined
  const { algorithm, compare } = versionOrderOf('cpe', key.package)
  const affected = affectedBy(rule, key.version, compare)
  if (!affected) return undefined
  const objections = checkPlatform(rule, installed, key)
  if (objections === 'other') return undefined
  const doubts = doubtsAbout(claim, { installed, key, affected, objections })
  const fixedVersion = fixedVersionOf(rule, affected, key.version, compare)
  return {
    ...graded(key, doubts),
    fixedVersion,
    kernel: '',
    derivation: {
      by: 'cpe',
      feed,
      record,
      ecosystem: 'cpe',
      package: key.package,
      rule: formatRule(rule),
      algorithm,
      installedVersion: key.version,
      fixedVersion,
      notes: [
        key.evidence === 'vendor'
          ? 'the source names product and vendor'
          : 'the product was found by its name',
        ...doubts.map(({ note }) => note),
      ],
    },
  }
}

interface Doubt {
  readonly confidence: number
  readonly note: string
}

function doubtsAbout(
  { rule, isDisputed }: Claim,
  facts: { installed: Installed; key: Key; affected: Affected; objections: readonly string[] },
): Doubt[] {
  const { installed, key, affected, objections } = facts
  return [
    ...(key.evidence === 'none'
      ? [{ confidence: CONFIDENCE_WITH_DOUBTS, note: 'nothing but its name says whose product it is' }]
      : []),
    ...objections.map((note) => ({ confidence: CONFIDENCE_WITH_DOUBTS, note })),
    ...(affected.isEvery
      ? [{ confidence: CONFIDENCE_WITHOUT_BOUND, note: 'the record names no bound' }]
      : []),
    ...(isSelfReported(installed.origin)
      ? [{ confidence: SELF_REPORTED_CONFIDENCE, note: 'the version is what the service says of itself' }]
      : []),
    ...(isDisputed ? [{ confidence: CONFIDENCE_OF_DISPUTED, note: 'the record is disputed' }] : []),
    ...(rule.verdict === 'under_investigation'
      ? [{ confidence: CONFIDENCE_WITH_DOUBTS, note: 'the maker is still investigating' }]
      : []),
  ]
}

function graded({ evidence }: Key, doubts: readonly Doubt[]): Pick<Match, 'grade' | 'confidence'> {
  if (doubts.length > 0)
    return { grade: 'heuristic', confidence: Math.min(...doubts.map(({ confidence }) => confidence)) }
  return evidence === 'vendor'
    ? { grade: 'exact', confidence: CONFIDENCE_OF_SURE_NAME }
    : { grade: 'fuzzy', confidence: CONFIDENCE_OF_MAPPED_NAME }
}
