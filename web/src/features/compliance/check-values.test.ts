import { expect, test } from 'vitest'
import { controlsIn, linesOf } from './check-values.ts'

test('controls are lines, which read back as they were', () => {
  const controls = [
    { framework: 'nist-csf-2.0', controlId: 'ID.AM-01' },
    { framework: 'cis-8.1', controlId: '1.1' },
  ]
  expect(controlsIn(linesOf(controls))).toEqual(controls)
  expect(controlsIn('  \n cis-8.1   1.1 \n\n')).toEqual([controls[1]])
  expect(controlsIn('cis-8.1')).toEqual([{ framework: 'cis-8.1', controlId: '' }])
})
