import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { begin, noteRound, readUpdateState, takenBackToTell, versionToRun } from './update-state.ts'

const OWN = '0.1.0'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const runs = (folder: string): string => versionToRun(folder, OWN, true)

test('a version is tried three times, then the one before comes back and says so until a report is accepted', () => {
  const folder = newFolder()
  begin(folder, '0.2.0')
  expect([runs(folder), versionToRun(folder, OWN, false), runs(folder), runs(folder)]).toEqual(
    Array.from({ length: 4 }, () => '0.2.0'),
  )
  expect(runs(folder)).toBe('')
  expect(takenBackToTell(folder)).toBe('0.2.0')
  noteRound(folder, OWN, true)
  expect([takenBackToTell(folder), runs(folder)]).toEqual([undefined, ''])
  expect(readUpdateState(folder).greatest).toBe('0.2.0')
})

test('an accepted report confirms it; the next version falls back to it', () => {
  const folder = newFolder()
  begin(folder, '0.2.0')
  runs(folder)
  noteRound(folder, '0.2.0', true)
  for (let round = 0; round < 5; round += 1) {
    expect(runs(folder)).toBe('0.2.0')
    noteRound(folder, '0.2.0', false)
  }
  begin(folder, '0.3.0')
  for (let round = 0; round < 3; round += 1) expect(runs(folder)).toBe('0.3.0')
  expect(runs(folder)).toBe('0.2.0')
  expect(takenBackToTell(folder)).toBe('0.3.0')
})

test('while the server is away no version is blamed: it is tried again once the one before has reported', () => {
  const folder = newFolder()
  begin(folder, '0.2.0')
  for (let round = 0; round < 3; round += 1) {
    runs(folder)
    noteRound(folder, '0.2.0', false)
  }
  expect(runs(folder)).toBe('')
  noteRound(folder, OWN, false)
  expect(takenBackToTell(folder)).toBe(undefined)
  noteRound(folder, OWN, true)
  expect(runs(folder)).toBe('0.2.0')
  noteRound(folder, '0.2.0', true)
  expect(readUpdateState(folder)).toMatchObject({ running: '0.2.0', isConfirmed: true, takenBack: '' })
})

test('an agent that was installed anew as a newer version runs itself, as does one whose file is damaged', () => {
  const folder = newFolder()
  begin(folder, '0.2.0')
  expect(versionToRun(folder, '0.2.0', true)).toBe('')
  writeFileSync(join(folder, 'update.json'), '{')
  expect(runs(folder)).toBe('')
})
