import { expect, test } from 'vitest'
import { signalName, tellMoreText } from './recognition-labels.ts'

test.each([
  ['mac_oui', 'MAC vendor'],
  ['snmp_sysobjectid', 'SNMP sysObjectID'],
  ['ssh', 'SSH banner'],
  ['new_kind', 'new_kind'],
])('a signal from %s is called %s', (source, name) => {
  expect(signalName(source)).toBe(name)
})

test('scans that would tell more are one sentence', () => {
  expect(tellMoreText([])).toBe('')
  expect(tellMoreText(['snmp'])).toBe('Scans would tell more: SNMP asks for its model.')
  expect(tellMoreText(['sweep', 'snmp'])).toBe(
    'Scans would tell more: a sweep reads its ports and banners, and SNMP asks for its model.',
  )
})
