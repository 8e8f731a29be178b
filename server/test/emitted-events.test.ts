import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventTypes } from '#features/events/events.ts'
import { features } from '../src/app.ts'

const FEATURES = join(import.meta.dirname, '../src/features')

/** The event types that a feature's code names where it makes an event. */
function typesIn(feature: string): string[] {
  const files = globSync(`${feature}/**/*.ts`, { cwd: FEATURES }).filter(
    (it) => !/\.(test|fixture)\.ts$/.test(it),
  )
  const code = files.map((it) => readFileSync(join(FEATURES, it), 'utf8')).join('\n')
  return eventTypes.filter((type) => code.includes(`type: '${type}'`))
}

test.each(features.filter(({ name }) => name !== 'events'))(
  '$name says which events it emits',
  ({ name, emits }) => {
    expect([...(emits ?? [])].toSorted()).toEqual(typesIn(name).toSorted())
  },
)
