import { expect, test } from 'vitest'
import { withoutControls } from './control-characters.ts'

test('control characters are removed from what a device reports', () => {
  const seenAt = new Date()
  expect(
    withoutControls({
      sourceKey: '192.0.2.1',
      seenAt,
      name: 'core\u001b[2J-1',
      os: 'Router OS\r\nCopyright',
      model: 'half \ud83d',
      tags: ['a', 'b\n'],
      identifiers: [
        { type: 'hostname', value: 'core\u0007' },
        { type: 'ip', value: '192.0.2.1' },
      ],
    }),
  ).toEqual({
    sourceKey: '192.0.2.1',
    seenAt,
    name: 'core [2J-1',
    os: 'Router OS Copyright',
    model: 'half \ufffd',
    tags: ['a'],
    identifiers: [{ type: 'ip', value: '192.0.2.1' }],
  })
})
