import { expect, test } from 'vitest'
import { parseCondition } from '#platform/conditions/parse.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asksAboutAsset, vocabularyWith } from '../definition/flow-vocabulary.ts'
import { asksAbout } from './asks-about.ts'
import { asksAboutTime } from './moves-over-time.ts'

const home = sharedTestApp()

test.each<[string, readonly string[]]>([
  ['name = x', []],
  ['has name', []],
  ['name in (a, b)', []],
  ['word', []],
  ['open_findings > 3', ['findings']],
  ['not open_findings > 3', ['findings']],
  ['has open_findings', ['findings']],
  ['any finding(severity = critical)', ['findings']],
  ['no finding(severity = critical)', ['findings']],
  ['count finding(severity = critical) > 2', ['findings']],
  ['any software(name = openssl)', ['software']],
  ['name = x and any software(name = openssl)', ['software']],
  ['any finding(severity = low) or no software(name = a)', ['findings', 'software']],
  ['last_seen < -30d', ['time']],
  ['name = x or not last_seen < -30d', ['time']],
])('%s asks about %j', async (text, expected) => {
  const { system } = home().runtime
  const { vocabulary } = await system.conditions.on(system, 'asset')
  const condition = parseCondition(text, vocabulary)
  const found = [
    ...(['findings', 'software'] as const).filter((what) => asksAbout(condition, what)),
    ...(asksAboutTime(condition) ? ['time'] : []),
  ]
  expect(found).toEqual(expected)
})

test.each([
  ['event.asset_name = x', false],
  ['has event.asset_name', false],
  ['event.asset_name in (a, b)', false],
  ['before.name = x', false],
  ['not event.asset_name = x', false],
  ['asset.name = x', true],
  ['not asset.name = x', true],
  ['event.asset_name = x and has asset.name', true],
  ['event.asset_name = x or asset.name in (a, b)', true],
  ['any finding(severity = low)', true],
  ['no software(name = a)', true],
  ['count finding(severity = low) > 2', true],
  ['word', true],
])('%s needs the asset: %s', async (text, isNeeded) => {
  const { system } = home().runtime
  const assets = (await system.conditions.on(system, 'asset')).vocabulary
  const vocabulary = vocabularyWith(assets, { kind: 'event', eventTypes: ['UPDATED_ASSET'] })
  expect(asksAboutAsset(parseCondition(text, vocabulary))).toBe(isNeeded)
})
