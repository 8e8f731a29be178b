import { describe, expect, test } from 'vitest'
import { floors } from './architecture/floors.ts'
import { habits } from './architecture/habits.ts'
import { readAgent, readApp, readServer, type Files, type Rule } from './architecture/source-files.ts'
import { layoutIn } from './architecture/layout.ts'
import { tables } from './architecture/tables.ts'

const source = readServer()

const app = readApp()

const agent = readAgent()

/** The files with the offending text added to them. */
const spoilt = (files: Files, rule: Rule): Files =>
  new Map([
    ...files,
    ...Object.entries(rule.offence).map(
      ([path, text]) => [path, `${files.get(path) ?? ''}\n${text}\n`] as const,
    ),
  ])

const server = [...floors, ...tables, ...habits, ...layoutIn('src/features')]
const rules = [
  ...server.map((rule) => ({ name: rule.name, rule, files: source })),
  ...layoutIn('web/src/features').map((rule) => ({ name: `in the app, ${rule.name}`, rule, files: app })),
  ...layoutIn('agent/src').map((rule) => ({ name: `in the agent, ${rule.name}`, rule, files: agent })),
]

describe.each(rules)('$name', ({ rule, files }) => {
  test('holds', () => {
    expect(rule.check(files)).toEqual([])
  })

  test('fails when it is broken', () => {
    const before = new Set(rule.check(files))
    expect(rule.check(spoilt(files, rule)).filter((it) => !before.has(it))).not.toEqual([])
  })
})
