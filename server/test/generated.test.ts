import { expect, test } from 'vitest'
import { checkGenerated } from '../src/generated-docs/generate.ts'

test('the files that are made from code are up to date; npm run generate writes them', async () => {
  expect((await checkGenerated()).json).toEqual({ outdated: [] })
})
