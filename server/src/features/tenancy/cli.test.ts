import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

test('a tenant is made and listed, named after its slug unless a name is given', async () => {
  const { runtime } = await testApp()
  const [create, list] = commands
  const make = (slug: string, options = {}) => create?.run(runtime.system, { args: { slug }, options })
  const tenant = { id: expect.any(String) as unknown, slug: 'acme', name: 'acme' }
  expect((await make('acme'))?.json).toEqual(tenant)
  expect((await make('b', { name: 'Bee' }))?.json).toMatchObject({ slug: 'b', name: 'Bee' })
  const all = await list?.run(runtime.system, { args: {}, options: {} })
  expect(all?.json).toEqual([tenant, { id: expect.any(String) as unknown, slug: 'b', name: 'Bee' }])
  await expect(make('acme')).rejects.toMatchObject({ status: 409, message: 'slug: acme is taken' })
})
