import { expect, test } from 'vitest'
import type { Linked, AssetObservation } from '#api/generated/asset.ts'
import { evidenceTree, type EvidenceNode } from './evidence-tree.ts'

const seen = (id: string, day: number): AssetObservation => ({
  id,
  source: `source ${id}`,
  sourceKey: id,
  firstSeen: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
  lastSeen: '2026-11-20T00:00:00Z',
  payload: {},
  identifiers: [],
})
const link = (a: string, b: string, score: number): Linked => ({
  because: 'evidence',
  a,
  b,
  score,
  reasons: [],
})
const draw = ({ observation, branches }: EvidenceNode): unknown =>
  branches.length === 0 ? observation.id : [observation.id, ...branches.map(draw)]

test('the observation with most links is the root, and the surest link comes first', () => {
  const tree = evidenceTree(
    [seen('a', 1), seen('b', 2), seen('c', 3), seen('d', 4)],
    [link('a', 'b', 0.91), link('b', 'c', 0.97), link('c', 'd', 0.95)],
  )
  expect(tree.map(draw)).toEqual([['b', ['c', 'd'], 'a']])
})

test('observations that nothing joined stand beside each other, each once', () => {
  expect(evidenceTree([seen('b', 2), seen('a', 1)], []).map(draw)).toEqual(['a', 'b'])
})

test('links of a ring and to what is not there do no harm', () => {
  const ring = [link('a', 'b', 0.9), link('b', 'c', 0.9), link('c', 'a', 0.9), link('a', 'x', 0.9)]
  const ids = evidenceTree([seen('a', 1), seen('b', 2), seen('c', 3)], ring)
    .map(draw)
    .flat(9)
  expect(ids).toHaveLength(3)
  expect(new Set(ids)).toEqual(new Set(['a', 'b', 'c']))
})
