import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, expect } from 'vitest'
import { MIGRATIONS } from '../../src/startup/migrations.ts'
import { exceptions } from './exceptions.ts'
import { offencesOf, type Schema } from './statement-rules.ts'
import { tables } from './tables.ts'

/**
 * Every statement that the product compiles in a test is held against the rules of statements, wherever it is sent; the
 * test in which one breaks them fails. What a test sends itself is its own affair.
 */

const SERVER = join(import.meta.dirname, '../..')
const WATCHED = Symbol.for('rollcall statements are watched')

interface Watched {
  [WATCHED]?: string[]
  compile: (...args: unknown[]) => { readonly sql: string }
}

const builders = Object.getPrototypeOf(sql`select 1`) as Watched
const offences = (builders[WATCHED] ??= watch())

function watch(): string[] {
  const found: string[] = []
  const schema: Schema = { tables, readers: readers() }
  const known = new Map<string, string[]>()
  const compile = builders.compile
  builders.compile = function (this: Watched, ...args) {
    const compiled = compile.apply(this, args)
    const wrong = known.get(compiled.sql) ?? offencesOf(compiled.sql, schema)
    known.set(compiled.sql, wrong)
    if (wrong.length === 0) return compiled
    const sender = senderIn(new Error('sent here').stack ?? '')
    if (sender !== undefined && !(sender in exceptions))
      found.push(...wrong.map((it) => `${sender} ${it}\n${compiled.sql}`))
    return compiled
  }
  return found
}

/** Functions that run as another role, because they read tables. */
function readers(): ReadonlySet<string> {
  const texts = readdirSync(MIGRATIONS).map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'))
  return new Set(
    [...texts.join('\n').matchAll(/^create function (\w+)\([^;]*?security definer/gm)].map(
      ([, name = '']) => name,
    ),
  )
}

/** Where in the product a statement is made: `features/assets/asset-store.ts assetById`. Undefined: in a test. */
function senderIn(stack: string): string | undefined {
  const frame = stack
    .split('\n')
    .map((line) => /at (?:async )?(?:(\S+) \()?(?:file:\/\/)?([^)]*?):\d+:\d+\)?$/.exec(line.trim()))
    .find(
      (it) =>
        it?.[2]?.startsWith(SERVER) &&
        !/\/(platform\/database\/(database|bound-db|cache\/[\w-]+|sql|pool)|statement-guard)\.ts$/.test(
          it[2],
        ),
    )
  const path = frame?.[2]?.slice(SERVER.length + 1) ?? ''
  if (!path.startsWith('src/') || /\.(test|fixture)\.ts$/.test(path)) return undefined
  return `${path.slice('src/'.length)} ${frame?.[1]?.replace(/^.*\./, '') ?? ''}`.trim()
}

const holds = (): void => expect(offences.splice(0)).toEqual([])
afterEach(holds)
afterAll(holds)
