import { affectedBy, fixedVersionOf, formatRule } from './affected-versions.ts'
import { isDistributionPackage } from './distribution-packages.ts'
import { kernelOf } from './running-kernel.ts'
import { versionOrderOf } from './version-order.ts'
import type { Claim, Installed, Key, Match, Matcher } from './matcher.ts'

/**
 * Matches packages of a distribution by that distribution's advisories alone: it backports fixes without changing the
 * upstream version, so version ranges of other feeds do not apply.
 */
export const distribution: Matcher = {
  name: 'distribution',
  keysOf(installed) {
    const { ecosystem, name, version, source } = installed
    if (!isDistributionPackage(installed) || ecosystem === '') return []
    const bySource = { name: source?.name ?? name, version: source?.version ?? version }
    return [
      { ecosystem, package: bySource.name, version: bySource.version, names: 'source' },
      { ecosystem, package: name, version, names: 'binary' },
    ]
  },
  match: (installed, key, claim) =>
    claim.rule.names === key.names ? judge(installed, key, claim) : undefined,
}

const CONFIDENCE = 0.99
/** Confidence of a rule whose status is `under_investigation`. */
const CONFIDENCE_WHILE_INVESTIGATED = 0.4

function judge(installed: Installed, key: Key, { feed, record, rule }: Claim): Match | undefined {
  if (rule.verdict === 'not_affected') return undefined
  const { algorithm, compare } = versionOrderOf(key.ecosystem)
  if (algorithm === 'rpm' && !isOfStream(key.version, rule)) return undefined
  const affected = affectedBy(rule, key.version, compare)
  if (!affected) return undefined
  const isOpenQuestion = rule.verdict === 'under_investigation'
  const fixedVersion = fixedVersionOf(rule, affected, key.version, compare)
  const notes = [
    ...(isOpenQuestion ? ['the distribution is still investigating'] : []),
    ...(rule.verdict === 'will_not_fix' ? ['the distribution will not fix it'] : []),
    `${key.names} package ${key.package} of ${key.ecosystem}; the distribution's word is final`,
  ]
  return {
    grade: isOpenQuestion ? 'heuristic' : 'exact',
    confidence: isOpenQuestion ? CONFIDENCE_WHILE_INVESTIGATED : CONFIDENCE,
    fixedVersion,
    kernel: kernelOf(installed),
    derivation: {
      by: 'distribution',
      feed,
      record,
      ecosystem: key.ecosystem,
      package: key.package,
      rule: formatRule(rule),
      algorithm,
      installedVersion: key.version,
      fixedVersion,
      ...(rule.fixedBy !== undefined && { fixedBy: rule.fixedBy }),
      notes,
    },
  }
}

const MODULE = /\.module[+_]/
/** Module streams that are named by the major version; others by major and minor version. */
const BY_FIRST_NUMBER = /^(nodejs|npm|postgresql|redis|libvirt|qemu)/

/** Red Hat has several streams of a module at the same time: the fixed version of one says nothing about another. */
function isOfStream(version: string, { ranges, package: name }: Claim['rule']): boolean {
  const fixes = ranges.flatMap(({ fixed }) => (fixed === undefined ? [] : [fixed]))
  if (fixes.length === 0) return true
  const isModular = MODULE.test(version)
  const numbers = BY_FIRST_NUMBER.test(name) ? 1 : 2
  return fixes.some(
    (fix) =>
      MODULE.test(fix) === isModular && (!isModular || streamOf(fix, numbers) === streamOf(version, numbers)),
  )
}

const streamOf = (version: string, numbers: number): string =>
  version.replace(/^\d+:/, '').split(/[.-]/).slice(0, numbers).join('.')
