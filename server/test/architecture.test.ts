import { describe, expect, test } from 'vitest'
import { floors } from './architecture/floors.ts'
import { habits } from './architecture/habits.ts'
import { readHouse, type Files, type Rule } from './architecture/house-files.ts'
import { layout } from './architecture/layout.ts'
import { tables } from './architecture/tables.ts'

const house = readHouse()

/** The house with the offending text added to its files. */
const spoilt = (rule: Rule): Files =>
  new Map([
    ...house,
    ...Object.entries(rule.offence).map(
      ([path, text]) => [path, `${house.get(path) ?? ''}\n${text}\n`] as const,
    ),
  ])

describe.each([...floors, ...tables, ...habits, ...layout])('$name', (rule) => {
  test('holds', () => {
    expect(rule.check(house)).toEqual([])
  })

  test('fails when it is broken', () => {
    const before = new Set(rule.check(house))
    expect(rule.check(spoilt(rule)).filter((it) => !before.has(it))).not.toEqual([])
  })
})
