import { expect, test } from 'vitest'
import { httpUrl } from './http-url.ts'

test.each([
  ['https://example.org/advisory?id=1#fix', 'https://example.org/advisory?id=1#fix'],
  ['http://example.org', 'http://example.org/'],
  ['https://example.org/\u202Egnp.exe', 'https://example.org/%E2%80%AEgnp.exe'],
  ['javascript:alert(1)', undefined],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['https://trusted.example@evil.example/', undefined],
  ['//example.org', undefined],
  ['/settings', undefined],
  ['see the vendor', undefined],
])('%j leads to %j', (address, href) => {
  expect(httpUrl(address)).toBe(href)
})
