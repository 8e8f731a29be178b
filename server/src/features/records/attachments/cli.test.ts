import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { restRecordFactories } from '#test/support/api-coverage/rest-record-factories.ts'
import { attachmentCommands } from './cli.ts'

const shared = sharedTestApp()

test('files are attached, listed, written and deleted at the command line', async () => {
  const ctx = await shared().newTenant()
  const run = (path: string, args: Record<string, string>, options: Record<string, string> = {}) => {
    const command = attachmentCommands.find((it) => it.path === `attachment ${path}`)
    if (!command) throw new Error(path)
    return command.run(ctx, { args, options })
  }
  const asset = (await restRecordFactories['assets']?.(ctx)) ?? ''
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-attachments-'))
  const file = join(folder, 'manual.txt')
  await writeFile(file, 'read me')
  const { json } = await run('add', { file }, { asset })
  const { id } = json as { id: string }
  expect((await run('list', {}, { asset })).text).toContain(`${id}  manual.txt  7 bytes  text/plain`)
  const output = join(folder, 'copy.txt')
  await run('get', { id }, { output })
  expect(await readFile(output, 'utf8')).toBe('read me')
  await expect(run('add', { file: join(folder, 'none') }, { asset })).rejects.toThrow(/^file: .* \(ENOENT\)/)
  await expect(run('get', { id }, { output: folder })).rejects.toThrow(/^output: /)
  await run('delete', { id })
  expect((await run('list', {}, { asset })).text).toBe('None.')
  await rm(folder, { recursive: true })
})
