import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { readDefinition as readWith } from './read-definition.ts'

const home = sharedTestApp()
const readDefinition = (given: unknown) => readWith(home().runtime.system, given)

const stop = [{ action: 'stop' }]
const manual = { kind: 'manual' }

test('a definition is read with its defaults', async () => {
  expect(await readDefinition({ trigger: manual, steps: stop })).toEqual({
    trigger: manual,
    condition: '',
    concurrency: 'none',
    coolDownMinutes: 0,
    runsPerMinute: 60,
    steps: stop,
  })
})

const deep = (depth: number): object[] =>
  depth === 0 ? stop : [{ action: 'if', condition: 'event.asset_name = a', steps: deep(depth - 1) }]
const onNew = { kind: 'event', eventTypes: ['NEW_ASSET'] }

test.each([
  ['no object', 7, 'definition'],
  ['an unknown part', { trigger: manual, steps: stop, colour: 'red' }, 'definition.colour'],
  ['no trigger', { steps: stop }, 'trigger'],
  ['an unknown trigger', { trigger: { kind: 'moon' }, steps: stop }, 'trigger.kind'],
  ['no event type', { trigger: { kind: 'event', eventTypes: [] }, steps: stop }, 'trigger.eventTypes'],
  [
    'an unknown event type',
    { trigger: { kind: 'event', eventTypes: ['X'] }, steps: stop },
    'trigger.eventTypes',
  ],
  ['six fields of cron', { trigger: { kind: 'schedule', cron: '0 0 8 * * 1' }, steps: stop }, 'trigger.cron'],
  [
    'a day that never comes',
    { trigger: { kind: 'schedule', cron: '0 8 31 2 *' }, steps: stop },
    'trigger.cron',
  ],
  ['every minute', { trigger: { kind: 'schedule', cron: '* * * * *' }, steps: stop }, 'trigger.cron'],
  [
    'an unknown zone',
    { trigger: { kind: 'schedule', cron: '0 8 * * *', zone: 'Mars/X' }, steps: stop },
    'trigger.zone',
  ],
  ['no steps', { trigger: manual, steps: [] }, 'steps'],
  ['an unknown action', { trigger: manual, steps: [{ action: 'fly' }] }, 'steps[0].action'],
  [
    'a setting that is missing',
    { trigger: manual, steps: [{ action: 'add_tags', with: {} }] },
    'steps[0].with.tags',
  ],
  [
    'a setting of another type',
    { trigger: manual, steps: [{ action: 'add_tags', with: { tags: 'x' } }] },
    'steps[0].with.tags',
  ],
  [
    'an unknown filter',
    { trigger: manual, steps: [{ action: 'add_tags', with: { tags: ['{{asset.name | shout}}'] } }] },
    'steps[0].with.tags',
  ],
  ['an unknown field', { trigger: onNew, condition: 'event.colour = red', steps: stop }, 'condition'],
  [
    'an unknown field of the asset',
    { trigger: manual, condition: 'asset.colour = red', steps: stop },
    'condition',
  ],
  [
    'a broken condition',
    { trigger: onNew, steps: [{ action: 'if', condition: 'event.asset_name =', steps: stop }] },
    'steps[0].condition',
  ],
  ['steps too deep', { trigger: onNew, steps: deep(5) }, 'steps[0].steps[0].steps[0].steps[0].steps'],
  ['too many steps', { trigger: manual, steps: Array.from({ length: 101 }, () => stop[0]) }, 'steps'],
  [
    'a wait of half a minute',
    { trigger: manual, steps: [{ action: 'wait', minutes: 0.5 }] },
    'steps[0].minutes',
  ],
])('%s is refused with its place', async (_, given, field) => {
  await expect(readDefinition(given)).rejects.toThrow(expect.objectContaining({ extras: { field } }))
})
