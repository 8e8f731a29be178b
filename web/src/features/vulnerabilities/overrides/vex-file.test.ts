import { expect, test } from 'vitest'
import { vexImportSummary } from './vex-file.ts'

test('what a document brought is told in words; what did not happen is left out', () => {
  const none = { document: 'urn:x', created: 0, ended: 0, unchanged: 0, skipped: 0 }
  expect(vexImportSummary({ ...none, created: 1 })).toBe('urn:x: 1 override created')
  expect(vexImportSummary({ ...none, created: 2, ended: 1, unchanged: 1, skipped: 3 })).toBe(
    'urn:x: 2 overrides created, 1 earlier one ended, 1 was known, 3 statements close nothing',
  )
})
