import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from './json.ts'
import { keepSoftware, softwareChanges } from './software-changes.ts'

const item = (name: string, version = '1.0'): JsonObject => ({ origin: 'dpkg', name, version })
const list = (...items: readonly JsonObject[]): JsonObject => ({ complete: ['dpkg'], items })
const many = Array.from({ length: 20 }, (_, n) => item(`package-${n}`))

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('what was added and removed, by the list that the server has', () => {
  const folder = newFolder()
  keepSoftware(folder, 'base', list(...many))
  expect(softwareChanges(folder, 'base', list(...many.slice(1), item('package-0', '1.1')))).toEqual({
    base: 'base',
    added: [item('package-0', '1.1')],
    removed: [item('package-0')],
  })
})

test('the whole list goes when the server has another one, when managers change, and when half of it differs', () => {
  const folder = newFolder()
  expect(softwareChanges(folder, 'base', list(...many))).toBeUndefined()
  keepSoftware(folder, 'base', list(...many))
  expect(softwareChanges(folder, 'other', list(...many))).toBeUndefined()
  expect(softwareChanges(folder, undefined, list(...many))).toBeUndefined()
  expect(softwareChanges(folder, 'base', { ...list(...many), complete: ['dpkg', 'snap'] })).toBeUndefined()
  expect(softwareChanges(folder, 'base', list(...many.slice(0, 9)))).toBeUndefined()
})
