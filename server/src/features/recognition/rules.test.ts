import { describe, expect, test } from 'vitest'
import { deviceTypes } from './device-types.ts'
import { readText } from './readers/device-text.ts'
import { rules, type Rule } from './rules.ts'
import { textSources } from './signals.ts'
import { knownBranches } from './vendors/products.ts'
import { vendors } from './vendors/vendors.ts'

const nameOf = ({ vendor = 'any', type, words = [], lines = [], models = [] }: Rule): string =>
  `${type} of ${vendor}: ${[...lines, ...words, ...models][0]}`

const spellings = new Set(vendors().map(({ name }) => name))

describe.each(rules().map((rule) => [nameOf(rule), rule] as const))('%s', (_, rule) => {
  test('has examples, and decides in them', () => {
    expect(rule.examples.length).toBeGreaterThan(0)
    for (const example of rule.examples) {
      const { text, model } = typeof example === 'string' ? { text: example, model: undefined } : example
      const said = readText({ source: rule.in?.[0] ?? 'banner', text })
      expect({ text, ...said }).toMatchObject({
        deviceType: rule.type,
        ...(rule.vendor && { vendor: rule.vendor }),
        ...(model && { model }),
      })
    }
  })

  test('is well formed', () => {
    const { type, sure, words = [], lines = [], models = [] } = rule
    expect(deviceTypes).toContain(type)
    expect(sure).toBeGreaterThan(0)
    expect(sure).toBeLessThanOrEqual(1)
    const known = [...words, ...lines, ...models]
    expect(known.length).toBeGreaterThan(0)
    expect(known.filter((word) => word !== word.toLowerCase().trim())).toEqual([])
    for (const list of [words, lines, models])
      expect(list.filter((it, at) => list.indexOf(it) !== at)).toEqual([])
    for (const source of rule.in ?? []) expect(textSources).toContain(source)
  })
})

test('vendors.json is the one list of spellings', () => {
  const used = [...rules(), ...knownBranches()].flatMap(({ vendor }) => vendor ?? [])
  expect(used.filter((vendor) => !spellings.has(vendor))).toEqual([])
  expect(spellings.size).toBe(vendors().length)
})

test('an enterprise OID branch gives a vendor or a type', () => {
  const empty = knownBranches().filter(({ vendor, type }) => vendor === undefined && type === undefined)
  expect(empty).toEqual([])
  expect(new Set(knownBranches().map(({ branch }) => branch)).size).toBe(knownBranches().length)
})
