import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { releaseCommands } from './cli.ts'
import * as store from './release-store.ts'
import { newSigner, planted } from './update.fixture.ts'

const run = async (path: string, system: Parameters<(typeof releaseCommands)[0]['run']>[0], args = {}) => {
  const command = releaseCommands.find((it) => it.path === `agent release ${path}`)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(system, { args, options: {} })
}

test('releases are listed with how far they are rolled out and how many went back', async () => {
  const { system } = (await testApp()).runtime
  expect(await run('list', system)).toEqual({ json: [], text: '' })
  const archive = Buffer.from('archive')
  const { sign } = newSigner()
  await planted(system, '0.2.0', sign('0.2.0', archive), archive)
  const line = '0.2.0  100 % of the agents, told to 0, 0 went back'
  expect((await run('list', system)).text).toBe(line)
  const set = await run('rollout', system, { version: '0.2.0', percent: '10' })
  expect(set.text).toBe(line.replace('100', '10'))
  expect(set.json).toMatchObject({
    version: '0.2.0',
    rollout: 10,
    offered: 0,
    taken_back: 0,
    stopped_at: null,
  })
  for (const percent of ['5', '', 'all'])
    await expect(run('rollout', system, { version: '0.2.0', percent })).rejects.toMatchObject({
      status: 400,
      extras: { field: 'percent' },
    })
  await expect(run('rollout', system, { version: '9.9.9', percent: '1' })).rejects.toMatchObject({
    status: 404,
  })
  await store.setRollout(system, '0.2.0', 0)
  expect((await run('list', system)).text).toBe(line.replace('100', '0'))
})

test('a folder that holds no release is refused', async () => {
  const { system } = (await testApp()).runtime
  const folder = temporaryFolder()
  const add = () => run('add', system, { folder })
  await expect(add()).rejects.toMatchObject({ status: 400, extras: { field: 'folder' } })
  writeFileSync(join(folder, 'release.json'), '{')
  await expect(add()).rejects.toThrow(/^folder: release\.json is not JSON/)
})
