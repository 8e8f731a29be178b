import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { addDevices, generated, latest } from '../reports.fixture.ts'
import { verifySnapshot } from '../verifying/verification.ts'
import { fontsIn } from './operator-fonts.ts'
import { reportPaper, setReportPaper } from './paper-setting.ts'

const app = sharedTestApp()
/** SCRIPT SMALL G and a bracket that DejaVu Sans Condensed does not have, and DejaVu Math TeX Gyre does. */
const LACKING = 'ℊ⎷'

const fileOf = (content: Buffer): string => {
  const file = join(temporaryFolder(), 'report.pdf')
  writeFileSync(file, content)
  return file
}

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8' })

/** With one font that has what the product's lack, and a file that is no font. */
function fontsFolder(): string {
  const folder = temporaryFolder()
  const font = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf')
  copyFileSync(font, join(folder, 'math.ttf'))
  writeFileSync(join(folder, 'readme.txt'), 'no font')
  return folder
}

test('the paper is A4 until somebody chooses Letter, which is audited once', async () => {
  const ctx = await app().newTenant()
  expect(await reportPaper(ctx)).toBe('a4')
  await expect(setReportPaper(ctx, 'a5')).rejects.toThrow('paper: must be one of a4, letter')
  await setReportPaper(ctx, 'letter')
  await setReportPaper(ctx, 'letter')
  expect(await reportPaper(ctx)).toBe('letter')
  const entries = await ctx.db.all(sql`
    select 1 from audit_entries where tenant_id = ${ctx.tenantId} and action = 'report.paper'`)
  expect(entries).toHaveLength(1)
})

test('a folder that is not there leaves a note and stops no report', async () => {
  const { fonts, notes } = await fontsIn('/nowhere/fonts')
  expect(fonts).toEqual([])
  expect(notes.join()).toContain('ENOENT')
  expect(await fontsIn(undefined)).toEqual({ fonts: [], notes: [] })
  expect((await fontsIn(fontsFolder())).fonts.map(({ name }) => name)).toEqual(['math.ttf'])
})

needs(
  'pdfinfo',
  'pdffonts',
  'pdftotext',
  'qpdf',
)('with the tools of qpdf and poppler', () => {
  test('issue 13: on Letter each page is Letter, or Letter turned, and the file is made again from its dataset', async () => {
    const ctx = await app().newTenant()
    await addDevices(ctx, 'a', 'b')
    await setReportPaper(ctx, 'letter')
    const { report, file } = await generated(ctx, { name: 'n', type: 'custom', format: 'pdf' })
    const pages = run('pdfinfo', '-l', '99', fileOf(file)).match(/Page +\d+ size: .*/g) ?? []
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) expect(page).toMatch(/size: +(612 x 792|792 x 612) pts \(letter\)/)
    expect((await verifySnapshot(ctx, (await latest(ctx, report.id)).id)).faults).toEqual([])
  })

  test('issue 13: fonts of the operator draw what the own ones lack, and the file is checked with the same ones', async () => {
    const folder = fontsFolder()
    const ctx = { ...(await app().newTenant()), fontsFolder: folder }
    await addDevices(ctx, `host ${LACKING} one`)
    const { report, file } = await generated(ctx, {
      name: `About ${LACKING}`,
      type: 'asset_audit',
      format: 'pdf',
    })
    const path = fileOf(file)
    expect(run('qpdf', '--check', path)).toContain('No syntax or stream encoding errors found')
    const fonts = run('pdffonts', path)
    expect(fonts).toContain('ROLLOA+DejaVuMathTeXGyre')
    for (const font of fonts.trim().split('\n').slice(2)) expect(font).toMatch(/ yes yes yes +\d+/)
    const text = run('pdftotext', path, '-')
    expect(text).toContain(`host ${LACKING} one`)
    expect(text).not.toContain('‹U+')
    const { id } = await latest(ctx, report.id)
    expect((await verifySnapshot(ctx, id)).faults).toEqual([])
    rmSync(join(folder, 'math.ttf'))
    await expect(verifySnapshot(ctx, id)).rejects.toThrow('math.ttf')
  })
})
