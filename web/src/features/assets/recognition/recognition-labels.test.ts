import { expect, test } from 'vitest'
import { signalName, suggestedScansText } from './recognition-labels.ts'

test.each([
  ['mac_oui', 'MAC vendor'],
  ['snmp_sysobjectid', 'SNMP sysObjectID'],
  ['ssh', 'SSH banner'],
  ['new_kind', 'new_kind'],
])('a signal from %s is called %s', (source, name) => {
  expect(signalName(source)).toBe(name)
})

test('scans that would tell more are one sentence', () => {
  expect(suggestedScansText([])).toBe('')
  expect(suggestedScansText(['snmp'])).toBe('Scans would tell more: SNMP asks for its model.')
  expect(suggestedScansText(['sweep', 'snmp'])).toBe(
    'Scans would tell more: a sweep reads its ports and banners, and SNMP asks for its model.',
  )
})
