import { expect, test } from 'vitest'
import { fixTitle } from './fix-title.ts'

test.each([
  ['openssl 3.0.11 → 3.0.15', 'Update openssl 3.0.11 to 3.0.15'],
  ['7-Zip 19.00 (x64) 19.00 → 23.01', 'Update 7-Zip 19.00 (x64) to 23.01'],
  ['Python 3.11.4 (64-bit) 3.11.4150.0 → 3.11.5', 'Update Python 3.11.4 (64-bit) 3.11.4150.0 to 3.11.5'],
  ['Notepad++ (7.9.1) 7.9.1.0 → 8.5.6', 'Update Notepad++ (7.9.1) to 8.5.6'],
  ['Visual C++ 2015 14.0 → 14.1', 'Update Visual C++ 2015 14.0 to 14.1'],
  ['WinRAR 6.02 (64-bit) 6.02.0 → 6.23', 'Update WinRAR 6.02 (64-bit) to 6.23'],
  ['curl → 8.4', 'Update curl to 8.4'],
])('%s is titled %s', (value, title) => {
  expect(fixTitle(value)).toBe(title)
})
