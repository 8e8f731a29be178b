import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportFonts } from './machine-checks.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

test('the doctor opens the fonts of reports, and names those that are passed over', async () => {
  const folder = temporaryFolder()
  const check = async () => (await reportFonts({ reportFonts: folder }))[0]
  expect(await check()).toMatchObject({ state: 'warn', message: `${folder} has none that can be used` })
  const font = readFileSync(
    createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf'),
  )
  writeFileSync(join(folder, 'math.ttf'), font)
  expect(await check()).toMatchObject({ state: 'ok', message: 'math.ttf' })
  writeFileSync(join(folder, 'half.ttf'), font.subarray(0, font.length / 2))
  writeFileSync(join(folder, 'page.otf'), '<!doctype html>')
  expect(await check()).toMatchObject({
    state: 'warn',
    message: 'math.ttf; passed over: half.ttf (cut off), page.otf (no font, or a broken one)',
  })
  expect(await reportFonts({ reportFonts: undefined })).toEqual([])
  expect((await reportFonts({ reportFonts: join(folder, 'none') }))[0]?.state).toBe('fail')
})
