import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { openHttpServer } from '../src/startup/http-server.ts'
import type { Ctx } from '../src/platform/context.ts'
import { buildSchema } from '../src/platform/graphql/schema.ts'
import { callerAt, type Caller } from './support/http/api-client.ts'
import { counting } from './support/app/query-counter.ts'
import { testApp, sharedTestApp } from './support/app/test-app.ts'
import { graphqlRecordFactories } from './support/api-coverage/graphql-record-factories.ts'
import { nouns, operations, textOf, type IdOf, type Noun } from './support/api-coverage/graphql-operations.ts'
import { asker, believed, headersOf, type Ask } from './support/http/graphql-client.ts'

const shared = sharedTestApp({ contextOf: believed })
const names = Object.keys(operations)
const withId = names.filter((name) => namesAnId(name))
const guarded = names.filter((name) => operations[name]?.permission)

let caller: Caller
let mine: Ctx
let theirs: Ctx
let me: Ask
let them: Ask
const foreign = new Map<Noun, string>()
beforeAll(async () => {
  caller = shared().as()
  mine = await shared().newTenant()
  theirs = await shared().newTenant()
  me = asker(caller, headersOf(mine))
  them = asker(caller, headersOf(theirs))
  for (const noun of nouns) foreign.set(noun, await graphqlRecordFactories[noun](shared(), theirs))
})

function namesAnId(name: string): boolean {
  let isNamed = false
  textOf(name, (noun) => {
    isNamed = true
    return noun
  })
  return isNamed
}

const foreignId: IdOf = (noun) => foreign.get(noun) ?? ''
const nobodys: IdOf = () => randomUUID()

test('every query and mutation is known to these walks', () => {
  const schema = buildSchema(features)
  const fieldsOf = (kind: 'query' | 'mutation') =>
    Object.keys((kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {})
  for (const kind of ['query', 'mutation'] as const)
    expect(names.filter((name) => operations[name]?.kind === kind).toSorted()).toEqual(
      fieldsOf(kind).toSorted(),
    )
})

test.each(guarded)('%s asks for its permission before anything else', async (name) => {
  const { permission = '', isOfAnyList } = operations[name] ?? {}
  const enough = [
    permission,
    ...(isOfAnyList ? features.flatMap((it) => Object.values(it.subjects ?? {})) : []),
  ]
  const all = new Set(Object.values(operations).flatMap((it) => it.permission ?? []))
  const others = asker(
    caller,
    headersOf(
      theirs,
      [...all].filter((it) => !enough.includes(it)),
    ),
  )
  const { data, errors } = await others(textOf(name, foreignId))
  expect(data?.[name] ?? null).toBeNull()
  expect(errors?.map(({ message, extensions }) => [message, extensions])).toEqual([
    [`permission required: ${permission}`, { code: 'forbidden' }],
  ])
})

test.each(withId)('%s answers for a thing of theirs as for one that never was', async (name) => {
  const answer = await me(textOf(name, foreignId))
  expect(answer).toEqual(await me(textOf(name, nobodys)))
  expect(answer.errors?.[0]?.extensions.code).toMatch(/^(not_found|invalid_request)$/)
})

test.each(withId)('%s takes no id that is none', async (name) => {
  for (const id of ['x', '', '1 or 1=1', '9'.repeat(400)]) {
    const { errors } = await me(textOf(name, () => id))
    expect(errors?.[0]?.extensions.code).toMatch(/^(not_found|invalid_request)$/)
  }
})

test.each(names.filter((name) => operations[name]?.isList && !withId.includes(name)))(
  '%s shows nothing of theirs',
  async (name) => {
    const { data, errors } = await me(textOf(name, nobodys))
    expect(errors).toBeUndefined()
    for (const noun of nouns) expect(JSON.stringify(data)).not.toContain(`"${foreignId(noun)}"`)
  },
)

test.each(names.filter((name) => operations[name]?.kind === 'query' && !name.startsWith('preview')))(
  '%s shows them their own',
  async (name) => {
    expect((await them(textOf(name, foreignId))).errors).toBeUndefined()
  },
)

const FEW = 2
const MANY = 7

test('no question is asked of the database once for each thing of a list', async () => {
  const committed: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, 'support/api-coverage/graphql-query-counts.json'), 'utf8'),
  )
  const counts: Record<string, number> = {}
  const there = await testApp()
  const counter = { queries: 0 }
  const runtime = counting(there.runtime, counter)
  const door = await openHttpServer(
    { host: '127.0.0.1', port: 0, rateLimitPerMinute: 1_000, trustedProxies: [] },
    runtime,
    believed(runtime),
  )
  const ctx = await there.newTenant()
  const ask = asker(
    callerAt(() => Promise.resolve(door.address)),
    headersOf(ctx),
  )
  const ids = new Map<Noun, string>()
  const add = async (n: number) => {
    for (const noun of nouns)
      for (let at = 0; at < n; at += 1) ids.set(noun, await graphqlRecordFactories[noun](there, ctx))
  }
  const count = async (name: string) => {
    counter.queries = 0
    const { errors } = await ask(textOf(name, (noun) => ids.get(noun) ?? ''))
    expect(errors).toBeUndefined()
    return counter.queries
  }
  const lists = names.filter((name) => operations[name]?.isList)
  await add(FEW)
  for (const name of lists) counts[name] = await count(name)
  await add(MANY - FEW)
  for (const name of lists) expect([name, await count(name)]).toEqual([name, counts[name]])
  await door.close()
  expect(counts).toEqual(committed)
}, 180_000)
