import { compareGeneric } from './generic.ts'
import { compareDigits, compareLists, compareText, sign, type Sign } from './version-parts.ts'

/**
 * PEP 440 with its normalisations. Versions that PEP 440 does not accept sort before all others, as pip's legacy
 * versions did.
 */
export function comparePep440(a: string, b: string): Sign {
  const [left, right] = [readPep440(a), readPep440(b)]
  if (!left || !right) return left ? 1 : right ? -1 : compareGeneric(a, b)
  return comparePublic(left, right) || compareLocal(left.local, right.local)
}

/** Ignores the local part if the bound has none. */
export function comparePep440ToBound(a: string, bound: string): Sign {
  const [left, right] = [readPep440(a), readPep440(bound)]
  return left && right && right.local === '' ? comparePublic(left, right) : comparePep440(a, bound)
}

interface PythonVersion {
  readonly epoch: string
  readonly numbers: readonly string[]
  readonly early: readonly [rank: number, digits: string]
  readonly post: string | undefined
  readonly dev: string | undefined
  readonly local: string
}

const VERSION =
  /^v?(?:([0-9]+)!)?([0-9]+(?:\.[0-9]+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?([0-9]*))?(?:(?:-([0-9]+))|(?:[-_.]?(post|rev|r)[-_.]?([0-9]*)))?(?:[-_.]?(dev)[-_.]?([0-9]*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/
const EARLY: Readonly<Record<string, number>> = { a: 1, alpha: 1, b: 2, beta: 2 }
const CANDIDATE = 3
const RELEASE = 4
/** Sorts a development release without pre-release part before all pre-releases. */
const BEFORE_EARLY = 0

function readPep440(text: string): PythonVersion | undefined {
  const found = VERSION.exec(text.trim().toLowerCase())
  if (!found) return undefined
  const [
    ,
    epoch = '',
    release = '',
    early,
    earlyDigits = '',
    implicit,
    post,
    postDigits,
    dev,
    devDigits,
    local = '',
  ] = found
  const isPost = implicit !== undefined || post !== undefined
  const rank = early ? (EARLY[early] ?? CANDIDATE) : dev && !isPost ? BEFORE_EARLY : RELEASE
  return {
    epoch,
    numbers: release.split('.'),
    early: [rank, earlyDigits],
    post: isPost ? (implicit ?? postDigits ?? '') : undefined,
    dev: dev && (devDigits ?? ''),
    local,
  }
}

function comparePublic(a: PythonVersion, b: PythonVersion): Sign {
  return (
    compareDigits(a.epoch, b.epoch) ||
    compareLists(a.numbers, b.numbers, '0', compareDigits) ||
    sign(a.early[0] - b.early[0]) ||
    compareDigits(a.early[1], b.early[1]) ||
    compareOptional(a.post, b.post, -1) ||
    compareOptional(a.dev, b.dev, 1)
  )
}

/** `none`: how a version without the part compares to one with it. */
function compareOptional(a: string | undefined, b: string | undefined, none: Sign): Sign {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? none : none === 1 ? -1 : 1
  return compareDigits(a, b)
}

function compareLocal(a: string, b: string): Sign {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? -1 : 1
  return compareLists<string | undefined>(a.split(/[-_.]/), b.split(/[-_.]/), undefined, (left, right) => {
    if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1
    const [isNumeric, isOther] = [/^[0-9]+$/.test(left), /^[0-9]+$/.test(right)]
    if (isNumeric && isOther) return compareDigits(left, right)
    if (isNumeric !== isOther) return isNumeric ? 1 : -1
    return compareText(left, right)
  })
}
