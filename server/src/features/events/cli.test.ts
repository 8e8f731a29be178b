import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { Compile } from 'typebox/compile'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { eventTypes } from './events.ts'

const shared = sharedTestApp()

function run(path: string, type = '') {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(shared().runtime.system, { args: { type }, options: {} })
}

test('events list names every type and when it is sent', async () => {
  const { json } = await run('events list')
  expect(json).toEqual(eventTypes.map((type) => ({ type, sent_when: expect.any(String) })))
})

test.each(eventTypes)('events show %s has a schema that its sample fits', async (type) => {
  const { json, text } = await run('events show', type.toLowerCase())
  const { schema, sample } = JSON.parse(JSON.stringify(json)) as { schema: TSchema; sample: object }
  expect(Compile(schema).Check(sample)).toBe(true)
  expect(Compile(schema).Check({})).toBe(false)
  expect(text).toContain(JSON.stringify(sample, null, 2))
})

test('a type that is not there is not found', async () => {
  await expect(run('events show', 'NEW_THING')).rejects.toMatchObject({ status: 404 })
})
