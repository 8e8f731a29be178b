import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

const demo = commands[0]!

test('says what came of it and what to do next', async () => {
  const ctx = await (await testApp()).newTenant()
  const { json, text } = await demo.run(ctx, { args: {}, options: { assets: '20', seed: '7' } })
  expect(json).toMatchObject({ assets: 20, seed: 7, created: 20 })
  expect(text).toContain('An estate of 20 assets (seed 7), as 14 sources see it')
  expect(text).toContain('Next: npm start')
})

test.each([
  [{ assets: '1e3' }, 'assets: '],
  [{ assets: '-5' }, 'assets: '],
  [{ seed: 'x' }, 'seed: '],
])('%j is refused', async (options, why) => {
  const ctx = await (await testApp()).newTenant()
  await expect(demo.run(ctx, { args: {}, options })).rejects.toThrow(why)
})
