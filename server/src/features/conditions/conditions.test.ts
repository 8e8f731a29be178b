import { beforeAll, describe, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { completions, countWhere, facets, vocabularyHelp, type Facet } from './conditions.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  const machine = (serial: string, os: string, tags: string[], software: string[]) => ({
    sourceKey: serial,
    seenAt: ctx.now(),
    name: serial,
    ...(os && { os }),
    tags,
    identifiers: [{ type: 'serial' as const, value: `SN-${serial}-4711` }],
    facts: { openPorts: [22, 443] },
    ...(software.length > 0 && {
      software: {
        complete: ['windows' as const],
        items: software.map((name) => ({ origin: 'windows' as const, name, version: '1.0' })),
      },
    }),
  })
  await submit(ctx, { kind: 'csv', name: 'machines' }, [
    machine('a', 'Debian 12', ['Prod', 'site:Oslo'], ['Firefox', 'Zoom']),
    machine('b', 'debian  12', ['Prod'], ['Firefox']),
    machine('c', 'Windows 11', [], []),
    machine('d', '', [], []),
  ])
})

test('counts what matches, and what nobody knows', async () => {
  expect(await countWhere(ctx, 'asset', 'os:debian')).toEqual({ matching: 2, unknown: 1 })
  expect(await countWhere(ctx, 'asset', 'any software(name = zoom)')).toEqual({ matching: 1, unknown: 2 })
  expect(await countWhere(ctx, 'asset', 'not any software(name = zoom)')).toEqual({ matching: 1, unknown: 2 })
  await expect(countWhere(ctx, 'asset', 'os >')).rejects.toThrow('where: os takes = != :, not >')
})

test('facets count values among what matches; spellings of one value are one', async () => {
  const [os, tag, port] = await facets(ctx, {
    subject: 'asset',
    where: '',
    fields: ['os', 'tag', 'port'],
    first: 10,
  })
  expect(os).toEqual({
    field: 'os',
    values: [
      { value: expect.stringMatching(/^debian/i), count: 2 },
      { value: 'Windows 11', count: 1 },
    ],
    without: 1,
  })
  expect(tag).toEqual({
    field: 'tag',
    values: [
      { value: 'Prod', count: 2 },
      { value: 'site:Oslo', count: 1 },
    ],
    without: 2,
  })
  expect(port?.values).toEqual([
    { value: '22', count: 4 },
    { value: '443', count: 4 },
  ])
  const [few] = await facets(ctx, { subject: 'asset', where: 'tag = prod', fields: ['tag'], first: 1 })
  expect(few).toEqual({ field: 'tag', values: [{ value: 'Prod', count: 2 }], without: 0 })
})

test.each(['asset', 'finding', 'software'])(
  'facets of fields of %s asked together are those asked alone',
  async (subject) => {
    const { fields } = await vocabularyHelp(ctx, subject)
    const alone: Facet[] = []
    for (const { name } of fields) {
      const asked = facetsOf(subject, [name])
      alone.push(...(await asked.catch(() => [])))
    }
    expect(alone.length).toBeGreaterThan(5)
    for (let at = 0; at < alone.length; at += 9) {
      const some = alone.slice(at, at + 9)
      const twice = [...some, ...some.slice(0, 1)]
      expect(
        await facetsOf(
          subject,
          twice.map((it) => it.field),
        ),
      ).toEqual(twice)
    }
  },
)

async function facetsOf(subject: string, fields: readonly string[]): Promise<readonly Facet[]> {
  return facets(ctx, { subject, where: '', fields, first: 100 })
}

test.each([
  [{ fields: [] }, 'fields: must be 1 to 10'],
  [{ fields: ['nothing'] }, 'fields: there is no field nothing'],
  [{ fields: ['last_seen'] }, 'fields: values of last_seen cannot be counted'],
  [{ first: 0 }, 'first: must be from 1 to 500'],
  [{ where: 'os >' }, 'where: os takes'],
])('facets of %j are refused', async (wrong, message) => {
  const question = { subject: 'asset' as const, where: '', fields: ['os'], first: 10, ...wrong }
  await expect(async () => facets(ctx, question)).rejects.toThrow(message)
})

describe('completion', () => {
  const suggested = async (text: string, cursor = text.length) =>
    (await completions(ctx, 'asset', { text, cursor })).suggestions.map((it) => `${it.text} ${it.detail}`)

  test('offers values with how often they occur', async () => {
    expect(await suggested('tag = ')).toEqual(['Prod 2', 'site:Oslo 1'])
    expect(await suggested('tag = OSL')).toEqual(['site:Oslo 1'])
    expect(await suggested('any software(name = ')).toEqual(['Firefox 2', 'Zoom 1'])
    expect(await suggested('port = ')).toEqual(['22 4', '443 4'])
  })
  test('reads up to the cursor', async () => {
    expect(await suggested('tag = prod and os = x', 6)).toEqual(['Prod 2', 'site:Oslo 1'])
    await expect(suggested('os', 3)).rejects.toThrow('cursor: must be from 0 to 2')
    await expect(suggested('a'.repeat(4_097))).rejects.toThrow('text: must have at most 4096 characters')
  })
})

test('the help names every field, and only what the actor may read', async () => {
  const { fields, collections } = await vocabularyHelp(ctx, 'asset')
  expect(fields.find(({ name }) => name === 'memory_gb')).toMatchObject({ unit: 'GiB', aliases: ['memory'] })
  expect(collections.map(({ name }) => name)).toEqual(['certificate', 'neighbour', 'software', 'finding'])
  const reader = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'assets:read' } }
  expect((await vocabularyHelp(reader, 'asset')).collections.map(({ name }) => name)).toEqual([
    'certificate',
    'neighbour',
    'software',
  ])
  await expect(vocabularyHelp(reader, 'finding')).rejects.toThrow('permission required: vulnerabilities:read')
  await expect(facets(reader, { subject: 'finding', where: '', fields: ['cve'], first: 1 })).rejects.toThrow(
    'permission required',
  )
})

test('another tenant sees nothing of it', async () => {
  const other = await home().newTenant()
  expect(await countWhere(other, 'asset', 'has id')).toEqual({ matching: 0, unknown: 0 })
  expect((await completions(other, 'asset', { text: 'tag = ', cursor: 6 })).suggestions).toEqual([])
  expect(
    (await completions(other, 'asset', { text: 'any software(name = ', cursor: 20 })).suggestions,
  ).toEqual([])
  expect(await facets(other, { subject: 'asset', where: '', fields: ['os'], first: 5 })).toEqual([
    { field: 'os', values: [], without: 0 },
  ])
})
