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
  renderer: 8,
  digests: {
    csv: '5c2a50753ae92af97b912a39364a26319337d6b71db7dac394aaf43343281b3d',
    pdf: 'bccb7deea68c2cea117c48c180087859f18fa078e7febb18070b76f8967da0cd',
    excel: '0c56f88ce7f302fbf68d16e32b4fa474665e253d635486ffe6958c14c7d27238',
    xml: '9a2cc4d16eedc1289ff2840b3143b7c52e8863401afc18ebd648bb70ea722e27',
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
