import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

test('a Node whose npm leaves out packages of the platform is refused before anything is installed', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'scripts'))
  copyFileSync(join(import.meta.dirname, '../../scripts/install.mjs'), join(root, 'scripts/install.mjs'))
  const asNode = (version: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `Object.defineProperty(process.versions, 'node', { value: '${version}' })
        const { installIfNeeded } = await import('${root}/scripts/install.mjs')
        installIfNeeded()`,
      ],
      // without a lock file npm ends at once
      { encoding: 'utf8' },
    )
  expect(asNode('18.20.4')).toMatchObject({
    status: 1,
    stderr: 'Installing needs Node 20 or newer with its npm; this is Node 18.20.4.\n',
  })
  expect(asNode('20.0.0').stderr).toContain('npm ci failed')
})
