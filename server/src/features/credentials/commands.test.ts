import { expect, test } from 'vitest'
import { usedAndPromised } from '#test/support/api-coverage/promised-commands.ts'
import { commands } from './cli.ts'

test('commands are called as docs/commands.md promises', () => {
  const { used, promised } = usedAndPromised(commands)
  expect(used).toEqual(promised)
})
