import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { changesOf } from '../src/platform/api-reference/changes-page.ts'
import {
  breaksOfApi,
  breaksOfEvents,
  breaksOfGraphql,
  changesOfApi,
  changesOfEvents,
} from './compatibility/compare-documents.ts'
import { currentContract, frozenContract, type Contract } from './compatibility/documents.ts'
import { allowedMutations, breakingMutations, mutated } from './compatibility/mutations.ts'

// Version 1 only grows (docs/api-versions.md): what is there now is compared with what was there at the last release.

const frozen = frozenContract()
const current = currentContract()

const breaksOf = (before: Contract, after: Contract): string[] => [
  ...breaksOfApi(before.api, after.api),
  ...breaksOfEvents(before.events, after.events),
  ...breaksOfGraphql(before.graphql, after.graphql),
]

describe('what clients rely on since the last release holds', () => {
  test('in the REST API', () => expect(breaksOfApi(frozen.api, current.api)).toEqual([]))
  test('in the payloads of events', () => expect(breaksOfEvents(frozen.events, current.events)).toEqual([]))
  test('in GraphQL', () => expect(breaksOfGraphql(frozen.graphql, current.graphql)).toEqual([]))
})

test('a breaking change is of at least thirty kinds', () => {
  expect(new Set(breakingMutations.map(({ title }) => title)).size).toBeGreaterThanOrEqual(30)
})

test.each(breakingMutations)('it is found that $title', (mutation) => {
  expect(breaksOf(current, mutated(current, mutation))).not.toEqual([])
})

test.each(allowedMutations)('it is no fault that $title', (mutation) => {
  expect(breaksOf(current, mutated(current, mutation))).toEqual([])
})

/** What the newest section of the changelog must name: endpoints and event types that are not what they were. */
function unnamed(changelog: string, before: Contract, after: Contract): string[] {
  const sections = new Map(changesOf(changelog)[0]?.sections.map((it) => [it.name, it.lines.join('\n')]))
  return [
    ...changesOfApi(before.api, after.api).filter((it) => !sections.get('API')?.includes(`\`${it}\``)),
    ...changesOfEvents(before.events, after.events).filter(
      (it) => !sections.get('Events')?.includes(`\`${it}\``),
    ),
  ]
}

describe('the changelog', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')

  test('names every endpoint and event that is not as it was at the last release', () => {
    expect(unnamed(changelog, frozen, current)).toEqual([])
  })

  test('is found to lack a line', () => {
    const after = structuredClone(current) as {
      api: { paths: Record<string, unknown> }
      events: object
    } & Contract
    after.api.paths['/more'] = { get: { responses: {} } }
    const events = { ...after.events, MORE: { type: 'object' } }
    const grown = { ...after, events }
    expect(unnamed(changelog, current, grown)).toEqual(['GET /more', 'MORE'])
    const noted = '## Unreleased\n\n### API\n\n- `GET /more` is new.\n\n### Events\n\n- `MORE` is new.\n'
    expect(unnamed(noted, current, grown)).toEqual([])
  })
})

const deprecated = features
  .flatMap(({ rest }) => rest ?? [])
  .flatMap(({ method, path, shape }) =>
    shape.deprecated ? [{ at: `${method} ${path}`, ...shape.deprecated }] : [],
  )
const YEAR_DAYS = 365
const DAY_MS = 86_400_000

test('a deprecated endpoint stays for a year at least', () => {
  for (const { at, since, sunset } of deprecated)
    expect([at, (Date.parse(sunset) - Date.parse(since)) / DAY_MS >= YEAR_DAYS]).toEqual([at, true])
})
