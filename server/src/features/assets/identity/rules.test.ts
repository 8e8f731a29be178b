import { expect, test } from 'vitest'
import { candidatePair, cluster, type Constraint } from './identity.ts'
import type { MatchRecord } from './match-record.ts'
import { machineRules, type Case, type Decision } from './machine-rules.fixture.ts'
import { recordOf } from './match-records.fixture.ts'
import { networkRules } from './network-rules.fixture.ts'
import { allShared } from './shared-identifier-values.ts'

/**
 * The rules of docs/identity.md, one after the other, each by cases of two observations: what is decided about them, in
 * either order of arrival, and what a third one that comes late makes of it. Whatever a case says, what a person separated
 * stays apart and what a person joined is one.
 */

function decide(records: readonly MatchRecord[], constraints: readonly Constraint[] = []): Decision {
  const shared = new Set(allShared(records).keys())
  const clusters = cluster({ matchRecords: records, constraints, shared })
  const [a, b] = ['a', 'b'].map((key) => records.find((it) => it.key === key))
  if (!a || !b) throw new Error('a case has two observations')
  const together = clusters.some(({ members }) => members.includes(a) && members.includes(b))
  if (together) return 'one'
  return candidatePair(a, b, shared) ? 'asked' : 'two'
}

const rows = Object.entries({ ...machineRules, ...networkRules }).flatMap(([rule, cases]) =>
  cases.map((it) => ({ rule, ...it })),
)
const recordsOf = ({ a, b }: Case): [MatchRecord, MatchRecord] => [
  recordOf('a', a[0], a[1]),
  recordOf('b', b[0], b[1]),
]

test.each(rows)('$rule: $case', (row) => {
  const [a, b] = recordsOf(row)
  expect(decide([a, b])).toBe(row.is)
  expect(decide([b, a])).toBe(row.is)
  if (!row.late) return
  const late = recordOf('late', row.late[0][0], row.late[0][1])
  for (const order of [
    [a, b, late],
    [late, b, a],
    [b, late, a],
  ])
    expect(decide(order)).toBe(row.late[1])
})

test.each(rows)('people know better: $rule: $case', (row) => {
  const [a, b] = recordsOf(row)
  const late = row.late ? [recordOf('late', row.late[0][0], row.late[0][1])] : []
  expect(decide([a, b, ...late], [{ kind: 'cannot_link', a: a.id, b: b.id }])).not.toBe('one')
  expect(decide([a, b, ...late], [{ kind: 'must_link', a: a.id, b: b.id }])).toBe('one')
})
