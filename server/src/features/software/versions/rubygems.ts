import { compareDigits, compareLists, compareText, isNumber, type Sign } from './version-parts.ts'

/** `Gem::Version`: words sort before numbers, a dash means `.pre.`; the platform suffix of a gem file is removed. */
export function compareRubygems(a: string, b: string): Sign {
  return compareLists(segmentsOf(a), segmentsOf(b), '0', (left, right) => {
    const [isNumericA, isNumericB] = [isNumber(left), isNumber(right)]
    if (isNumericA !== isNumericB) return isNumericA ? 1 : -1
    return isNumericA ? compareDigits(left, right) : compareText(left, right)
  })
}

const PLATFORM =
  /^(?:x86|x64|x86_64|i[3-6]86|amd64|arm|arm64|aarch64|armv\d\w*|ppc\w*|powerpc\w*|s390x?|riscv64|universal|java|jruby|mswin\w*|mingw\w*|darwin\w*|linux\w*|musl|gnu|freebsd\w*)$/

function segmentsOf(version: string): string[] {
  const [release = '', ...others] = version.trim().split('-')
  const platform = others.findIndex((it) => PLATFORM.test(it))
  const dashed = [release, ...(platform < 0 ? others : others.slice(0, platform))].join('.pre.')
  const segments = dashed.match(/[0-9]+|[A-Za-z]+/g) ?? []
  const word = segments.findIndex((it) => !isNumber(it))
  const numbers = word < 0 ? segments : segments.slice(0, word)
  return [...withoutZeros(numbers), ...withoutZeros(word < 0 ? [] : segments.slice(word))]
}

function withoutZeros(segments: readonly string[]): readonly string[] {
  let length = segments.length
  while (
    length > 0 &&
    isNumber(segments[length - 1] ?? '') &&
    compareDigits(segments[length - 1] ?? '', '') === 0
  )
    length--
  return segments.slice(0, length)
}
