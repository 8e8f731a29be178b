import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

const command = commands[0]

test('software list shows what is installed anywhere, or on one asset', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const items = [
    { origin: 'rpm' as const, name: 'bash', version: '4.4.20-4.el8_6', arch: 'x86_64' },
    { origin: 'windows' as const, name: '7-Zip 23.01 (x64)', version: '23.01', vendor: 'Igor Pavlov' },
  ]
  await submit(ctx, agent, [seen('a', { serial: 'SN-a' }, { software: { complete: [], items } })])
  const all = await command?.run(ctx, { args: {}, options: {} })
  expect(all?.text.split('\n')).toEqual([
    '7-Zip 23.01 (x64)  23.01  (Igor Pavlov)  [windows]  on 1',
    'bash  4.4.20-4.el8_6  [rpm]  on 1',
  ])
  const [asset] = (await listAssets(ctx, { limit: 1, offset: 0 })).items
  const one = await command?.run(ctx, { args: {}, options: { asset: asset?.id, limit: '1' } })
  expect(one).toMatchObject({
    json: { total: 2 },
    text: '7-Zip 23.01 (x64)  23.01  (Igor Pavlov)  [windows]',
  })
  const none = await command?.run(ctx, { args: {}, options: { search: 'nothing of this' } })
  expect(none).toEqual({ json: { total: 0, items: [] }, text: '' })
})
