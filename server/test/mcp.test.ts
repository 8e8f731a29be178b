import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readOnlyTools } from '../src/commands/mcp/read-only-tools.ts'
import { createFindings } from '../src/features/vulnerabilities/findings.fixture.ts'
import { sharedTestApp } from './support/app/test-app.ts'

const BIN = join(import.meta.dirname, '../bin/rollcall.mjs')
const API = JSON.parse(readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8')) as {
  paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>
}

interface Answer {
  readonly id: number | null
  readonly result?: Record<string, unknown> & { content?: { text: string }[]; isError?: boolean }
  readonly error?: { code: number; message: string }
}

const home = sharedTestApp()
let assetId: string
let key: string
beforeAll(async () => {
  const ctx = await home().newTenant()
  assetId = await createFindings(ctx, [{ cveId: 'CVE-2026-0001', score: 9.8 }])
  key = await home().key(ctx, ['read'])
  await createFindings(await home().newTenant(), [{ cveId: 'CVE-2026-0002', score: 9.8 }])
})

/** Writes the lines, closes the input, and answers what came back. */
async function converse(lines: readonly (string | object)[], apiKey = key): Promise<Answer[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'key'), `${apiKey}\n`)
  const words = ['mcp', '--server', await home().address(), '--key-file', join(folder, 'key')]
  const child = spawn(process.execPath, [BIN, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = lines.map((it) => (typeof it === 'string' ? it : JSON.stringify({ jsonrpc: '2.0', ...it })))
  child.stdin.end(`${said.join('\n')}\n`)
  const out = await text(child.stdout)
  const told = out.split('\n').filter(Boolean)
  return told.map((line) => JSON.parse(line) as Answer)
}

const call = (id: number, name: string, given: object = {}): object => ({
  id,
  method: 'tools/call',
  params: { name, arguments: given },
})

test('params that are no object are refused, and what comes after is answered', async () => {
  const answers = await converse([
    { id: 1, method: 'tools/call', params: null },
    { id: 2, method: 'initialize', params: null },
    { id: 3, method: 'ping' },
  ])
  expect(answers).toMatchObject([
    { id: 1, error: { code: -32_602 } },
    { id: 2, error: { code: -32_602 } },
    { id: 3, result: {} },
  ])
})

test('an assistant begins, lists the tools and calls one', async () => {
  const clientInfo = { name: 'test', version: '1' }
  const answers = await converse([
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    call(3, 'list_vulnerabilities', { severity: 'critical' }),
    call(4, 'get_asset', { id: assetId }),
    { id: 5, method: 'ping' },
  ])
  expect(answers.map((it) => it.id)).toEqual([1, 2, 3, 4, 5])
  expect(answers[0]?.result).toMatchObject({ protocolVersion: '2025-03-26', capabilities: { tools: {} } })
  const tools = answers[1]?.result?.['tools'] as { name: string; annotations: object }[]
  expect(tools.map((it) => it.name)).toEqual(readOnlyTools.map((it) => it.name))
  for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true })
  const findings = JSON.parse(answers[2]?.result?.content?.[0]?.text ?? '') as { data: { cveId: string }[] }
  expect(findings.data.map((it) => it.cveId)).toEqual(['CVE-2026-0001'])
  expect(JSON.parse(answers[3]?.result?.content?.[0]?.text ?? '')).toMatchObject({ id: assetId })
  expect(answers[4]?.result).toEqual({})
})

test('a version of the protocol that is not known is answered with one that is', async () => {
  const [answer] = await converse([
    { id: 1, method: 'initialize', params: { protocolVersion: '1999-01-01' } },
  ])
  expect(answer?.result).toMatchObject({ protocolVersion: '2025-06-18' })
})

describe('what is wrong is said', () => {
  test('as a fault of the protocol', async () => {
    const answers = await converse([
      '{"jsonrpc":',
      '[]',
      { id: 1, method: 'resources/list' },
      call(2, 'delete_asset', { id: assetId }),
      { method: 'notifications/cancelled' },
      { id: 9, result: {} },
    ])
    expect(answers.map((it) => it.error?.code)).toEqual([-32_700, -32_600, -32_601, -32_602])
  })

  test('as the answer of a tool, which an assistant can mend', async () => {
    const answers = await converse([
      call(1, 'get_asset'),
      call(2, 'list_assets', { limit: 101 }),
      call(3, 'list_assets', { colour: 'red' }),
      call(4, 'list_vulnerabilities', { severity: 'awful' }),
      call(5, 'list_assets', { where: 'nonsense = 1' }),
      call(6, 'get_asset', { id: '../../readyz' }),
    ])
    const told = answers.map(({ result }) => [result?.isError, result?.content?.[0]?.text.slice(0, 40)])
    expect(told).toEqual([
      [true, 'id is missing'],
      [true, 'limit must be a whole number from 1 to 1'],
      [true, 'there is no argument colour'],
      [true, 'severity must be one of critical, high, '],
      [true, expect.stringContaining('400: where: there is no field nonsense')],
      [true, expect.stringMatching(/^40[04]: /)],
    ])
  })

  test('with a key that is none', async () => {
    const [answer] = await converse([call(1, 'list_assets')], '0'.repeat(64))
    expect(answer?.result?.content?.[0]?.text).toMatch(/^401: /)
  })
})

test.each(readOnlyTools)('$name asks for what the API document has', ({ path, properties }) => {
  const { get } = API.paths[path] ?? {}
  expect(get).toBeDefined()
  const known = [...path.matchAll(/\{(\w+)\}/g)].map(([, it]) => it)
  known.push(...(get?.parameters ?? []).filter((it) => it.in === 'query').map((it) => it.name))
  expect(known).toEqual(expect.arrayContaining(Object.keys(properties)))
})

test('every tool is answered by the server', async () => {
  const calls = readOnlyTools.map(({ name, properties }, at) =>
    call(at, name, 'id' in properties ? { id: assetId } : {}),
  )
  const answers = await converse(calls)
  const refused = readOnlyTools.filter((_, at) => answers[at]?.result?.isError !== false)
  // the id is that of an asset
  expect(refused.map((it) => it.name)).toEqual(['get_vulnerability'])
})
