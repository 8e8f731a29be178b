import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { commands } from './cli.ts'
import { addTag, liveFlow, newAsset, onNewAsset, startWorker, untilIdle } from './flows.fixture.ts'
import { openSecrets } from './secrets/flow-secrets.ts'
import { flowStop } from './stops/stops.ts'

const home = sharedTestApp()

function run(
  ctx: Ctx,
  path: string,
  args: Record<string, string> = {},
  more: Partial<CommandInput> = {},
): Promise<CommandResult> {
  const command = commands.find((it) => it.path === `flow ${path}`)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args, options: {}, ...more })
}

function fileOf(content: unknown): string {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const manual = { trigger: { kind: 'manual' }, steps: [addTag('seen')] }
const idIn = ({ json }: CommandResult) => (json as { id: string }).id

test('a flow is made of a file, published, switched on and off, shown, listed and archived', async () => {
  const ctx = await home().newTenant()
  const made = await run(ctx, 'create', { file: fileOf(manual) }, { options: { name: 'tagging' } })
  const id = idIn(made)
  expect(made.text).toBe(`Created tagging (${id}). Publish and enable it to let it run.`)
  const line = (state: string) => `${id}  ${state}  manual    never  tagging`
  expect((await run(ctx, 'list')).text).toBe(line('off'))
  const draft = { ...manual, steps: [addTag('other')] }
  expect((await run(ctx, 'draft', { id, file: fileOf(draft) })).text).toBe('Saved a draft of tagging.')
  const shown = await run(ctx, 'show', { id })
  expect(JSON.parse(shown.text)).toMatchObject({ steps: [addTag('other')] })
  expect(shown.json).toMatchObject({ n: 1, state: 'draft' })
  expect((await run(ctx, 'publish', { id })).text).toBe('Published tagging.')
  expect((await run(ctx, 'enable', { id })).text).toBe('Enabled tagging.')
  expect((await run(ctx, 'list')).text).toBe(line('on '))
  expect((await run(ctx, 'disable', { id })).text).toBe('Disabled tagging.')
  expect((await run(ctx, 'list')).text).toBe(line('off'))
  const exported = await run(ctx, 'export', { id })
  expect(JSON.parse(exported.text)).toEqual(exported.json)
  const imported = await run(ctx, 'import', { file: fileOf(exported.json) })
  expect(imported.text).toBe(`Imported tagging (${idIn(imported)}) as a draft.`)
  expect(await run(ctx, 'archive', { id })).toEqual({ json: { id }, text: 'Archived.' })
  expect((await run(ctx, 'list')).json).toMatchObject([{ id: idIn(imported) }])
})

test.each([
  ['/nowhere', '/nowhere cannot be read'],
  ['{', 'is no JSON: '],
])('a file %s is refused', async (file, message) => {
  const ctx = await home().newTenant()
  const path = file.startsWith('/') ? file : fileOf(file)
  const making = run(ctx, 'create', { file: path }, { options: { name: 'x' } })
  await expect(making).rejects.toMatchObject({
    status: 400,
    extras: { field: 'file' },
    message: expect.stringContaining(message),
  })
})

test('runs are started for assets or none, listed with what became of them, and told step by step', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const { id } = await liveFlow(ctx, manual)
  const [a, b] = [await newAsset(ctx, 'a'), await newAsset(ctx, 'b')]
  expect(await run(ctx, 'run', { id, assets: `${a} ${b}` })).toEqual({
    json: { started: 2 },
    text: 'Started 2 runs.',
  })
  await untilIdle(ctx)
  expect((await run(ctx, 'run', { id })).text).toBe('Started 1 run.')
  await untilIdle(ctx)
  const runs = await run(ctx, 'runs', { id })
  const [failed] = runs.json as { id: string; createdAt: string; reason: string }[]
  const lines = runs.text.split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe(`${failed?.id}  ${failed?.createdAt}  failed  manual  ${failed?.reason}`)
  expect(lines[1]).toMatch(/ {2}succeeded {2}manual {2}$/)
  const log = await run(ctx, 'log', { id: failed?.id ?? '' })
  const { steps } = log.json as { steps: { startedAt: string; fault: string }[] }
  expect(log.text).toBe(
    `failed  ${failed?.reason}\n${steps[0]?.startedAt}  steps[0]  add_tags  failed  ${steps[0]?.fault}`,
  )
  const again = await run(ctx, 'rerun', { run: failed?.id ?? '', step: 'steps[0]' })
  const { run_id: runId } = again.json as { run_id: string }
  expect(again.text).toBe(`Started ${runId}.`)
  await untilIdle(ctx)
  expect((await run(ctx, 'runs', { id })).text).toContain(runId)
})

test('a test says what steps would do, and a back-test what they would have run for', async () => {
  const ctx = await home().newTenant()
  const id = idIn(
    await run(
      ctx,
      'create',
      {
        file: fileOf({
          trigger: onNewAsset,
          condition: 'event.asset_name : print',
          steps: [addTag('seen'), { action: 'set_field', with: { field: 'nowhere', value: 'x' } }],
        }),
      },
      { options: { name: 'f' } },
    ),
  )
  const [printer, laptop] = [await newAsset(ctx, 'print-1'), await newAsset(ctx, 'laptop')]
  expect((await run(ctx, 'test', { id, asset: printer })).text.split('\n')).toEqual([
    'steps[0]  add_tags  {"tags":["seen"]}',
    'steps[1]  set_field  field: there is no custom field nowhere',
  ])
  expect((await run(ctx, 'test', { id, asset: laptop })).text).toBe('The condition does not match.')
  const tested = await run(ctx, 'backtest', { id })
  const { result } = tested.json as { result: { summary: string; note: string; sample: { at: string }[] } }
  expect(tested.text).toBe(`${result.summary}\n${result.note}\n${result.sample[0]?.at}  print-1`)
  expect(tested.json).toMatchObject({ days: 30 })
  const day = await run(ctx, 'backtest', { id }, { options: { days: '1' } })
  expect(day.json).toMatchObject({ days: 1, status: 'completed' })
})

test('what runs ask is listed and answered', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  expect((await run(ctx, 'approvals')).text).toBe('There are none.')
  const { id } = await liveFlow(ctx, {
    trigger: { kind: 'manual' },
    steps: [
      { action: 'request_approval', name: 'ask', with: { question: 'Go on?', hours: 1 } },
      { action: 'wait_for_approval', request: 'ask' },
    ],
  })
  await run(ctx, 'run', { id })
  await untilIdle(ctx)
  const { json, text } = await run(ctx, 'approvals')
  const [approval] = json as { id: string; expiresAt: string }[]
  expect(text).toBe(`${approval?.id}  until ${approval?.expiresAt}  flow  Go on?`)
  const args = { approval: approval?.id ?? '', decision: 'refuse' }
  const decided = await run(ctx, 'decide', args, { options: { note: 'not now' } })
  expect(decided.text).toBe('It is refused.')
  expect(decided.json).toMatchObject({ note: 'not now' })
  expect((await run(ctx, 'approvals')).json).toEqual([])
})

test('a hook is printed as an address of the site, with the key of signatures where there is one', async () => {
  const ctx = await home().newTenant()
  const steps = [{ action: 'stop' }]
  const open = await liveFlow(ctx, { trigger: { kind: 'webhook', signature: 'none' }, steps })
  const site = { site: 'https://inventory.example' }
  const plain = await run(ctx, 'hook', { id: open.id }, site)
  expect(plain.text).toMatch(/^https:\/\/inventory\.example\/hooks\/\S+$/)
  expect(plain.json).toEqual({ url: plain.text, secret: null })
  const signed = await liveFlow(ctx, { trigger: { kind: 'webhook', signature: 'rollcall' }, steps })
  const { json, text } = await run(ctx, 'hook', { id: signed.id })
  const { url, secret } = json as { url: string; secret: string }
  expect(url).toMatch(/^\/hooks\//)
  expect(text).toBe(`${url}\nkey of signatures: ${secret}`)
})

test('all flows are stopped and resumed, of the tenant or of the installation', async () => {
  const ctx = await home().newTenant()
  const { system } = home().runtime
  expect((await run(ctx, 'stop-all', { reason: 'why' })).text).toBe('Stopped.')
  expect(await flowStop(ctx)).toMatchObject({ reason: 'why' })
  await run(ctx, 'resume-all')
  expect(await flowStop(ctx)).toBeNull()
  const ofAll = { options: { installation: true as const }, system }
  await run(ctx, 'stop-all', { reason: 'maintenance' }, ofAll)
  expect(await flowStop(ctx)).toBeNull()
  await expect(run(ctx, 'resume-all')).rejects.toMatchObject({ status: 409 })
  expect((await run(ctx, 'resume-all', {}, ofAll)).json).toEqual({ stopped: false })
  await expect(run(ctx, 'resume-all', {}, ofAll)).rejects.toMatchObject({ status: 409 })
})

test('a secret is set to the content of a file without its last line end, listed by name, and removed', async () => {
  const ctx = await home().newTenant()
  for (const end of ['', '\n', '\r\n']) {
    const set = await run(ctx, 'secret', { name: 'ticket', file: fileOf(`a long word${end}`) })
    expect(set.text).toBe('Set ticket.')
    expect(await openSecrets(ctx, ['ticket'])).toEqual({ ticket: 'a long word' })
  }
  const list = await run(ctx, 'secrets')
  const [{ updatedAt }] = list.json as [{ updatedAt: string }]
  expect(list.text).toBe(`ticket  ${updatedAt}`)
  await expect(run(ctx, 'secret', { name: 'x', file: '/nowhere' })).rejects.toMatchObject({
    extras: { field: 'file' },
  })
  const gone = await run(ctx, 'secret', { name: 'ticket' }, { options: { delete: true } })
  expect(gone).toEqual({ json: { name: 'ticket' }, text: 'Deleted ticket.' })
  expect(await run(ctx, 'secrets')).toEqual({ json: [], text: '' })
})
