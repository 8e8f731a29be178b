import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { compareVersions, schemeOf, type Scheme } from './compare.ts'
import { satisfies } from './range.ts'

const RIGHT_MIN = 0.999

interface Comparison {
  readonly ecosystem: string
  readonly a: string
  readonly op: '<' | '=' | '>'
  readonly b: string
  readonly contested?: true
}
interface Constraint {
  readonly format: string
  readonly version: string
  readonly constraint: string
  readonly satisfied: boolean
}

const named: Readonly<Record<string, Scheme>> = {
  'Red Hat (rpm)': 'rpm',
  'generic (NVD/CPE)': 'generic',
  pypi: 'pep440',
  go: 'semver',
  'windows-kb': 'generic',
  ...Object.fromEntries(
    (
      ['apk', 'bitnami', 'dpkg', 'generic', 'jvm', 'maven', 'portage', 'rpm', 'rubygems', 'semver'] as const
    ).map((it) => [it, it] as const),
  ),
}
const schemeNamed = (name: string): Scheme => named[name] ?? schemeOf(name)
/** librpm orders `el8` before `el8.0.0`; the label, after another program, takes them for one. */
const AGAINST_RPM = '8.3.1-5.el8.0.0'
const signs = { '<': -1, '=': 0, '>': 1 }

sharedData('versions/compare.jsonl.gz', 'labelled comparisons', (path) => {
  test('are right, ecosystem by ecosystem', () => {
    const rows = rowsOf<Comparison>(path).filter((row) => !row.contested)
    const shares = sharesOf(
      rows,
      (row) => row.ecosystem,
      ({ ecosystem, a, b, op }) => compareVersions(schemeNamed(ecosystem), a, b) === signs[op],
    )
    expect(shares.filter(([, share]) => share < RIGHT_MIN)).toEqual([])
    expect(shares.length).toBeGreaterThan(10)
  })
})

sharedData('versions/constraints.jsonl.gz', 'labelled constraints', (path) => {
  test('are right, format by format', () => {
    const rows = rowsOf<Constraint>(path).filter(({ version }) => version !== AGAINST_RPM)
    const shares = sharesOf(
      rows,
      (row) => row.format,
      ({ format, version, constraint, satisfied }) =>
        (satisfies(schemeNamed(format), version, constraint) ?? false) === satisfied,
    )
    expect(shares.filter(([, share]) => share < RIGHT_MIN)).toEqual([])
    expect(shares.length).toBeGreaterThan(8)
  })
})

describe('what the labels are read with', () => {
  test('knows every scheme by name', () => {
    expect(schemeNamed('PyPI')).toBe('pep440')
  })
})

function rowsOf<Row>(path: string): Row[] {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n')
  return lines.map((line): Row => JSON.parse(line))
}

function sharesOf<Row>(
  rows: readonly Row[],
  groupOf: (row: Row) => string,
  isRight: (row: Row) => boolean,
): (readonly [string, number])[] {
  return [...Map.groupBy(rows, groupOf)].map(
    ([group, members]) => [group, members.filter(isRight).length / members.length] as const,
  )
}
