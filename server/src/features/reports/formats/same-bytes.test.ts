import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { RENDERER } from './format.ts'
import { digestsOfEverything } from './hostile-report.fixture.ts'

/**
 * What RENDERER stands for: SHA-256 of the file of one dataset in each format. Other bytes are another version: count
 * RENDERER up, and write its digests here. zlib deflates differently on other processors, and with it PDF and Excel.
 */
const golden = {
  renderer: 6,
  digests: {
    csv: '5c2a50753ae92af97b912a39364a26319337d6b71db7dac394aaf43343281b3d',
    pdf: '7f24f4a801c311f3920704cbf9b398c7eb290611943c5be26e9c0733285b4879',
    excel: '602286345afb1c64516954cff39e22dd861f169c5ba2609aa6187048cbac1ee5',
    xml: '2f35ff083b09f95fb9e02835d3425cb597975ab1836b9543509eb0270776ca36',
  },
}

const script = `
  const { digestsOfEverything } = await import(${JSON.stringify(join(import.meta.dirname, 'hostile-report.fixture.ts'))})
  console.log(JSON.stringify(await digestsOfEverything()))`

/** In a process of its own. */
async function digestsWith(environment: Readonly<Record<string, string>>): Promise<typeof golden.digests> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env['PATH'], ...environment },
  })
  return JSON.parse(stdout) as typeof golden.digests
}

test('two processes of other time zones and languages write the same bytes, those of this version', async () => {
  const [here, there] = await Promise.all([
    digestsWith({ TZ: 'UTC', LC_ALL: 'C' }),
    digestsWith({ TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }),
  ])
  expect(there).toEqual(here)
  expect(await digestsOfEverything()).toEqual(here)
  const { csv, xml, ...deflated } = golden.digests
  expect({ renderer: RENDERER, digests: here }).toMatchObject({
    renderer: golden.renderer,
    digests: { csv, xml, ...(process.arch === 'x64' && deflated) },
  })
})
