import { expect, test } from 'vitest'
import type { Row } from '#platform/conditions/field.ts'
import { movesOf } from './moves-over-histories.ts'
import { findingHistory } from './replay-findings.ts'

const turn = (cveId: string, atMs: number, status = 'open', severity = 'high') => ({
  cveId,
  atMs,
  status,
  severity,
  score: 8,
})
const finding = (cve: string, status: string) => ({ cve, status, severity: 'high', cvss: 8 })
const rowOf = (...findings: readonly Row[]): Row => ({ 'finding()': findings, open_findings: 0 })
const hasOpen = (row: Row) => Number(row['open_findings']) > 0

test('an asset enters with its first open finding and leaves with its last', () => {
  const row = rowOf(finding('A', 'resolved'), finding('B', 'resolved'))
  const turns = [turn('A', 10), turn('B', 20), turn('A', 30, 'resolved'), turn('B', 40, 'resolved')]
  expect(movesOf(row, [findingHistory(turns)], 5, hasOpen)).toEqual([
    { atMs: 10, move: 'enter' },
    { atMs: 40, move: 'leave' },
  ])
})

test('what was so before does not move, and what happens at one time moves once', () => {
  const row = rowOf(finding('A', 'resolved'), finding('B', 'open'))
  const turns = [turn('A', 10), turn('A', 30, 'resolved'), turn('B', 30)]
  expect(movesOf(row, [findingHistory(turns)], 20, hasOpen)).toEqual([])
  expect(movesOf(row, [findingHistory(turns)], 5, hasOpen)).toEqual([{ atMs: 10, move: 'enter' }])
})

test('a change at the first moment that is looked at counts, one just before does not', () => {
  const row = rowOf(finding('A', 'open'))
  expect(movesOf(row, [findingHistory([turn('A', 10)])], 10, hasOpen)).toEqual([{ atMs: 10, move: 'enter' }])
  expect(movesOf(row, [findingHistory([turn('A', 10)])], 11, hasOpen)).toEqual([])
})

test('severity and score are those of the time', () => {
  const row = rowOf(finding('A', 'open'))
  const turns = [turn('A', 10, 'open', 'critical'), turn('A', 20, 'open', 'high')]
  const isCritical = ({ 'finding()': findings }: Row) =>
    (findings as readonly Row[]).some(({ severity }) => severity === 'critical')
  expect(movesOf(row, [findingHistory(turns)], 0, isCritical)).toEqual([
    { atMs: 10, move: 'enter' },
    { atMs: 20, move: 'leave' },
  ])
})

test('a finding without a history is there all the time', () => {
  expect(movesOf(rowOf(finding('A', 'open')), [findingHistory([turn('B', 10)])], 0, hasOpen)).toEqual([])
})
