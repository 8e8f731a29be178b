import { expect, test } from 'vitest'
import { originName } from './software-origins.ts'

test('an origin that this page does not know keeps its own word', () => {
  expect(originName('dpkg')).toBe('Debian packages')
  expect(originName('nix')).toBe('nix')
})
