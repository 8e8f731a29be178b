import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { attestControl } from './attestations/attestations.ts'
import { checkCommands } from './cli-checks.ts'
import { evidenceCommands } from './cli-evidence.ts'
import { statementCommands } from './cli-statements.ts'
import { commands } from './cli.ts'
import { CSF, FREE, inDays, judgedScene, type JudgedScene } from './compliance.fixture.ts'
import { explainControl } from './compliance.ts'
import { statementRows } from './statements/statements.ts'

const shared = sharedTestApp()
const NIS2 = 'nis2-article-21'
let ctx: Ctx
let scene: JudgedScene

beforeAll(async () => {
  ctx = await shared().newTenant()
  scene = await judgedScene(ctx)
})

function run(
  of: Ctx,
  path: string,
  args: Record<string, string> = {},
  options: CommandInput['options'] = {},
): Promise<CommandResult> {
  const all = [...commands, ...checkCommands, ...evidenceCommands, ...statementCommands]
  const command = all.find((it) => it.path === `compliance ${path}`)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(of, { args, options })
}

function fileOf(content: string): string {
  const path = join(temporaryFolder(), 'rows')
  writeFileSync(path, content)
  return path
}

const SENTENCE = 'Serial numbers begin with A: 1 of 3 assets fails; for one other it is not known.'

test('frameworks are listed, adopted, judged and dropped', async () => {
  const of = await shared().newTenant()
  const lineOf = async (slug: string) =>
    (await run(of, 'frameworks')).text.split('\n').find((line) => line.startsWith(`${slug} `)) ?? ''
  expect(await lineOf(NIS2)).toMatch(/: 16 controls, \d+ judged by checks; not adopted$/)
  const adopted = await run(of, 'adopt', { framework: NIS2 })
  expect(adopted.text).toMatch(
    /^nis2-article-21 {4}.*; 0 fail, \d+ warn, 0 pass, no score yet at a coverage of \d+ %$/,
  )
  expect(adopted.json).toMatchObject({ framework: { slug: NIS2 }, first: [] })
  expect((await run(of, 'evaluate')).text).toBe(await lineOf(NIS2))
  const dropped = await run(of, 'drop', { framework: NIS2 })
  expect(dropped.json).toEqual({ framework: NIS2 })
  expect(await lineOf(NIS2)).toContain('; not adopted')
  expect(await run(of, 'evaluate')).toEqual({ json: [], text: '' })
})

test('the status of a framework says first what fails, the worst severity first, then each control with why', async () => {
  const { text, json } = await run(ctx, 'status', { framework: CSF })
  const [line = '', blank, first, ...rest] = text.split('\n')
  const { fail, warning, pass } = countsOf(json as { status: string }[])
  expect(line).toContain(`; ${fail} fail, ${warning} warn, ${pass} pass, score `)
  expect(line).toContain(`score ${Math.round((100 * pass) / (pass + fail))} % at a coverage of `)
  expect([blank, first]).toEqual(['', 'First:'])
  const at = rest.indexOf(`  medium   ${SENTENCE}`)
  expect(rest[at + 1]).toBe('           Look at the label.')
  expect(rest).toContain(`${' '.repeat(26)}${SENTENCE}`)
  expect(rest.find((it) => it.startsWith(FREE))).toMatch(/^GV\.PO-01 {3}fail {11}\S/)
  expect((json as { status: string }[]).some(({ status }) => status === 'not_assessed')).toBe(false)
  const { json: summary } = await run(ctx, 'adopt', { framework: CSF })
  const { first: failing } = summary as { first: { status: string }[] }
  expect(failing.length).toBeLessThanOrEqual(5)
  expect(new Set(failing.map(({ status }) => status))).toEqual(new Set(['fail']))
})

const countsOf = (controls: readonly { readonly status: string }[]) => {
  const count = (status: string) => controls.filter((it) => it.status === status).length
  return { fail: count('fail'), warning: count('warning'), pass: count('pass') }
}

test('explain says why a control has its status, what to do, who attested it and what it was before', async () => {
  const { text } = await run(ctx, 'explain', { framework: CSF, control: FREE })
  const { title, since, history } = await explainControl(ctx, CSF, FREE)
  const lines = text.split('\n')
  expect(lines[0]).toBe(`${FREE} ${title}`)
  expect(lines.slice(-10)).toEqual([
    `fail since ${since}`,
    `  ${SENTENCE}`,
    '',
    'Checks:',
    `  fail       ${SENTENCE} (${scene.checkId})`,
    '    where tag = judged: serial : acme',
    '    Look at the label.',
    '',
    'History:',
    `  ${history[0]?.changedAt} not_assessed -> fail`,
  ])
  const heading = await run(ctx, 'explain', { framework: CSF, control: 'GV.PO' })
  expect(heading.text).toMatch(/^GV\.PO .*\n(?:.*\n\n)?a heading$/)

  const attested = await shared().newTenant()
  await run(attested, 'adopt', { framework: CSF })
  const validUntil = inDays(90)
  await attestControl(attested, { framework: CSF, controlId: FREE, statement: 'signed', validUntil })
  const { text: told } = await run(attested, 'explain', { framework: CSF, control: FREE })
  expect(told).toMatch(new RegExp(`\nAttested by .+ until ${validUntil}\n\nHistory:\n`))
  expect(told).not.toContain('Checks:')
})

test('explain names the fault of a check that cannot be judged', async () => {
  const of = await shared().newTenant()
  const { checkId } = await judgedScene(of)
  await of.db.run(sql`
    update compliance_checks set condition = 'gone = 1', scope = ''
    where tenant_id = ${of.tenantId} and id = ${checkId}`)
  await run(of, 'evaluate')
  const { text } = await run(of, 'explain', { framework: CSF, control: FREE })
  expect(text).toContain('  not judged ')
  expect(text).toMatch(/\n {4}all assets: gone = 1\n {4}cannot be judged: .*there is no field gone/)
  expect(text).not.toContain('Look at the label.')
})

test('a shipped check is copied, upgraded, and counts for a framework as it is set', async () => {
  const of = await shared().newTenant()
  const { text: id } = await run(of, 'check copy', { id: 'no-ftp' })
  expect((await run(of, 'check upgrade', { id })).text).toBe('Nothing was changed.')
  const upgraded = () =>
    of.db.run(sql`
      update compliance_checks set copied = copied || '{"next": "Another step."}'
      where tenant_id = ${of.tenantId} and id = ${id}`)
  await upgraded()
  const { text, json } = await run(of, 'check upgrade', { id })
  const [{ shipped }] = json as [{ shipped: string }]
  const expected = ['next', '  was      Another step.', `  is now   ${shipped}`, `  the copy ${shipped}`]
  expect(text.split('\n')).toEqual(expected)
  expect((await run(of, 'check upgrade', { id })).text, 'nothing was written').toBe(text)
  const both = { take: true, keep: true } as const
  await expect(run(of, 'check upgrade', { id }, both)).rejects.toMatchObject({ extras: { field: 'keep' } })
  for (const option of ['take', 'keep']) {
    await upgraded()
    expect((await run(of, 'check upgrade', { id }, { [option]: true })).text).toBe(text)
    expect((await run(of, 'check upgrade', { id })).text).toBe('Nothing was changed.')
  }
  const set = (options: CommandInput['options']) =>
    run(of, 'check set', { framework: CSF, id: 'no-ftp' }, options)
  expect(await set({ off: true })).toEqual({
    json: { framework: CSF, checkId: 'no-ftp', isOff: true, tolerance: null },
    text: `no-ftp is off for ${CSF}.`,
  })
  expect(await set({ tolerance: '2%' })).toEqual({
    json: { framework: CSF, checkId: 'no-ftp', isOff: false, tolerance: '2%' },
    text: `no-ftp is on for ${CSF}.`,
  })
})

test('texts of a framework are taken from a file and removed', async () => {
  const of = await shared().newTenant()
  const file = fileOf('id,title,text\nCC6.1,Access,Be careful.')
  const taken = await run(of, 'texts import', { framework: 'soc-2', file }, { exported: true })
  expect(taken).toEqual({
    json: { framework: 'soc-2', controls: 1 },
    text: '1 controls of soc-2 have their text.',
  })
  expect((await run(of, 'explain', { framework: 'soc-2', control: 'CC6.1' })).text).toContain(
    '\nBe careful.\n\n',
  )
  await run(of, 'texts remove', { framework: 'soc-2' })
  expect((await run(of, 'explain', { framework: 'soc-2', control: 'CC6.1' })).text).not.toContain(
    'Be careful.',
  )
  await expect(run(of, 'texts import', { framework: 'soc-2', file: '/nowhere' })).rejects.toMatchObject({
    extras: { field: 'file' },
  })
})

test('evidence of a control is recorded, listed and printed as a file', async () => {
  const of = { framework: CSF, control: FREE }
  const { text: id } = await run(ctx, 'evidence record', of)
  const list = await run(ctx, 'evidence list', of)
  const [{ recordedAt, digest }] = list.json as [{ recordedAt: string; digest: string }]
  expect(list.text).toBe(`${recordedAt}  ${id}  sha256 ${digest}`)
  const { json, text } = await run(ctx, 'evidence file', { id })
  expect(json).toMatchObject({ kind: 'evidence', document: { control: FREE } })
  expect(JSON.parse(text)).toEqual(json)
})

test('a statement goes from its draft to its proof, each step by the member who does it', async () => {
  const of = await shared().newTenant()
  await run(of, 'adopt', { framework: NIS2 })
  const [ann, bob] = [await newPerson(shared(), of), await newPerson(shared(), of)]
  const draft = await run(of, 'statement draft', { framework: NIS2 })
  const { id } = draft.json as { id: string }
  expect(draft.text).toBe(`${id}  ${NIS2} version 1: draft`)
  const controls = (await statementRows(of, id)).map(({ controlId }) => controlId)
  const paste = (to: string, lines: readonly string[]) =>
    run(of, 'statement paste', { id: to, file: fileOf(lines.join('\n')) })
  const justified = controls.map((control) => `${control}\tbecause`)
  const pasted = await paste(id, ['control\tjustification', ...justified])
  expect(pasted).toEqual({ json: { rows: controls.length }, text: `${controls.length} rows changed.` })
  await expect(run(of, 'statement paste', { id, file: '/nowhere' })).rejects.toMatchObject({
    extras: { field: 'file' },
  })
  const submit = () => run(of, 'statement submit', { id }, { by: ann.email })
  expect((await submit()).text).toContain('version 1: in_review')
  expect((await run(of, 'statement return', { id })).text).toContain('version 1: draft')
  await submit()
  const approve = (by: string) => run(of, 'statement approve', { id }, { by, role: 'CISO' })
  await expect(approve(ann.email)).rejects.toThrow('a second person')
  const approved = await approve(bob.email)
  const { approvedAt } = approved.json as { approvedAt: string }
  const line = `${id}  ${NIS2} version 1: approved on ${approvedAt} by ${bob.email}, CISO`
  expect(approved.text).toBe(line)
  const proof = await run(of, 'statement proof', { id })
  expect(JSON.parse(proof.text)).toEqual(proof.json)
  expect(proof.json).toMatchObject({ kind: 'statement' })

  const { id: next } = (await run(of, 'statement draft', { framework: NIS2 })).json as { id: string }
  expect((await run(of, 'statement list')).text).toBe(`${next}  ${NIS2} version 2: draft\n${line}`)
  const diff = () => run(of, 'statement diff', { before: id, after: next })
  expect(await diff()).toEqual({ json: [], text: '' })
  await paste(next, ['control\towner', `${controls[1]}\tEve`])
  const { json, text } = await diff()
  const [{ before, after }] = json as [{ before: object; after: object }]
  expect([before, after]).toMatchObject([{ owner: '' }, { owner: 'Eve' }])
  expect(text).toBe(`${controls[1]}\n- ${JSON.stringify(before)}\n+ ${JSON.stringify(after)}`)
})
