import { compareDigits, compareLists, compareText, type Sign } from './version-parts.ts'

/**
 * Semantic Versioning 2.0.0, section 11, tolerating common deviations: a leading `v`, more or fewer than three
 * numbers, a pre-release without its dash. Undefined without a leading number.
 */
export function compareSemver(a: string, b: string): Sign | undefined {
  const [left, right] = [readSemver(a), readSemver(b)]
  return left && right && compareRead(left, right)
}

/** Dart pub: build metadata (after the plus) is compared too. */
export function comparePub(a: string, b: string): Sign | undefined {
  const [left, right] = [readSemver(a), readSemver(b)]
  if (!left || !right) return undefined
  const found = compareRead(left, right)
  if (found !== 0 || left.build === right.build) return found
  if (left.build === '' || right.build === '') return left.build === '' ? -1 : 1
  return compareIdentifiers(left.build, right.build)
}

interface SemanticVersion {
  readonly numbers: readonly string[]
  readonly early: string
  readonly build: string
}

function readSemver(text: string): SemanticVersion | undefined {
  const version = text.trim().replace(/^(?:v|go)(?=[0-9])/i, '')
  const plus = version.indexOf('+')
  const main = plus < 0 ? version : version.slice(0, plus)
  const release = /^[0-9]+(?:\.[0-9]+)*/.exec(main)?.[0]
  if (release === undefined) return undefined
  return {
    numbers: release.split('.'),
    early: earlyOf(main.slice(release.length)),
    build: plus < 0 ? '' : version.slice(plus + 1),
  }
}

/** `1.0.0.rc.alpha` is read as `1.0.0-rc-alpha`. */
function earlyOf(rest: string): string {
  if (rest.startsWith('-')) return rest.slice(1)
  if (!rest.startsWith('.')) return rest
  return rest.slice(1).replaceAll(/\.(?=(?:alpha|beta|rc)\b)/gi, '-')
}

function compareRead(a: SemanticVersion, b: SemanticVersion): Sign {
  const found = compareLists(a.numbers, b.numbers, '0', compareDigits)
  if (found !== 0 || a.early === b.early) return found
  if (a.early === '' || b.early === '') return a.early === '' ? 1 : -1
  return compareIdentifiers(a.early, b.early)
}

function compareIdentifiers(a: string, b: string): Sign {
  return compareLists<string | undefined>(a.split('.'), b.split('.'), undefined, (left, right) => {
    if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1
    const [isNumeric, isOther] = [/^[0-9]+$/.test(left), /^[0-9]+$/.test(right)]
    if (isNumeric && isOther) return compareDigits(left, right)
    if (isNumeric !== isOther) return isNumeric ? -1 : 1
    return compareText(left, right)
  })
}
