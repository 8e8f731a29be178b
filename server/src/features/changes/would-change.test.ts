import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { NewChange } from './change.ts'
import { noteEffects, wouldChange, type Effect, type StatusChange } from './would-change.ts'

const home = sharedTestApp()
/** As the API promises. */
const SUBJECTS_MAX = 50
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
})

const triedWith = (...changes: readonly (NewChange | StatusChange)[]) =>
  wouldChange(ctx, (inner) => {
    inner.trial?.noted.push(...changes)
    return Promise.resolve()
  })
const noting = (effects: readonly Effect[], isPartial?: boolean) =>
  wouldChange(ctx, (inner) => {
    noteEffects(inner, effects, isPartial)
    return Promise.resolve()
  })

const ON_ASSET = { assetId: 'a', assetName: 'web' }
const OTHER = { relatedId: 'b', subject: 'db' }
type Told = readonly [subject: string, becomesTrue: readonly string[], becomesFalse: readonly string[]]

const told: readonly (readonly [NewChange | StatusChange, ...Told[]])[] = [
  [{ kind: 'asset_appeared', ...ON_ASSET }, ['asset a web', ['there'], []]],
  [{ kind: 'asset_deleted', ...ON_ASSET }, ['asset a web', [], ['there']]],
  [{ kind: 'asset_archived', ...ON_ASSET }, ['asset a web', ['archived'], []]],
  [{ kind: 'asset_revived', ...ON_ASSET }, ['asset a web', [], ['archived']]],
  [{ kind: 'asset_split', ...ON_ASSET, ...OTHER }, ['asset a web', ['there', 'split off db'], []]],
  [
    { kind: 'asset_merged', ...ON_ASSET, ...OTHER },
    ['asset a web', ['has db merged into it'], []],
    ['asset b db', [], ['there']],
  ],
  [{ kind: 'finding_opened', ...ON_ASSET, ...OTHER }, ['finding b db', ['open'], []]],
  [{ kind: 'finding_closed', ...ON_ASSET, ...OTHER }, ['finding b db', [], ['open']]],
  [{ kind: 'source_connected', ...OTHER }, ['source b db', ['there'], []]],
  [
    { kind: 'port_opened', ...ON_ASSET, before: [22], after: ['443'] },
    ['asset a web', ['port = 443'], ['port = 22']],
  ],
  [{ kind: 'port_closed', ...ON_ASSET, before: [22], after: null }, ['asset a web', [], ['port = 22']]],
  [
    { kind: 'software_installed', ...ON_ASSET, subject: 'curl' },
    ['asset a web', ['software installed: curl'], []],
  ],
  [
    { kind: 'field_changed', ...ON_ASSET, subject: 'tag', before: ['x', 'y'], after: ['y', 'z'] },
    ['asset a web', ['tag = z'], ['tag = x']],
  ],
  [
    { kind: 'field_changed', ...ON_ASSET, subject: 'os', before: null, after: 12 },
    ['asset a web', ['os = 12'], []],
  ],
  [
    { kind: 'field_changed', ...ON_ASSET, subject: 'os', before: 'Debian', after: '' },
    ['asset a web', [], ['os = Debian']],
  ],
  [
    { kind: 'control_status', control: 'A.5', before: 'failed', after: 'met' },
    ['control A.5 A.5', ['status = met'], ['status = failed']],
  ],
]

test.each(told.map(([change, ...expected]) => [change, expected] as const))(
  '%j is told as what becomes true and false of whom',
  async (change, expected) => {
    const { total, isWhole, subjects } = await triedWith(change)
    expect(
      subjects.map(({ type, id, name, becomesTrue, becomesFalse }) => [
        `${type} ${id} ${name}`,
        becomesTrue,
        becomesFalse,
      ]),
    ).toEqual(expected)
    expect([total, isWhole]).toEqual([expected.length, true])
  },
)

test('what is taken back again is no change of a subject', async () => {
  const there = await triedWith(
    { kind: 'asset_archived', ...ON_ASSET },
    { kind: 'asset_revived', ...ON_ASSET },
    { kind: 'asset_archived', assetId: 'b', assetName: '' },
    { kind: 'asset_revived', assetId: 'b', assetName: 'named later' },
    { kind: 'asset_archived', assetId: 'b', assetName: '' },
  )
  expect(there).toEqual({
    total: 1,
    isWhole: true,
    counts: [
      { kind: 'asset_archived', count: 3 },
      { kind: 'asset_revived', count: 2 },
    ],
    subjects: [{ type: 'asset', id: 'b', name: 'named later', becomesTrue: ['archived'], becomesFalse: [] }],
  })
})

test('effects that a verb notes are counted, the first ones are named', async () => {
  const effects = Array.from({ length: SUBJECTS_MAX + 1 }, (_, at): Effect => ({
    type: 'flow',
    id: String(at),
    name: `flow ${at}`,
    kind: 'flow_started',
    becomes: [['started', true]],
  }))
  const { total, isWhole, counts, subjects } = await noting(effects)
  expect({ total, isWhole, counts }).toEqual({
    total: SUBJECTS_MAX + 1,
    isWhole: true,
    counts: [{ kind: 'flow_started', count: SUBJECTS_MAX + 1 }],
  })
  expect(subjects.map(({ name }) => name)).toEqual(effects.slice(0, SUBJECTS_MAX).map(({ name }) => name))
  expect(await noting([], true)).toEqual({ total: 0, isWhole: false, counts: [], subjects: [] })
})

test('outside a trial nothing is noted', () => {
  expect(() => noteEffects(ctx, [], true)).not.toThrow()
})
