import { expect, test } from 'vitest'
import { play, playAll } from './play-scene.ts'
import { scenes } from './scenes.ts'

test.each(scenes.map((scene) => [scene.title, scene] as const))('%s', (_, { seen }) => {
  const forward = play(seen)
  const backward = play(seen.toReversed())
  expect(forward).toMatchObject({ isMixed: false, isSplit: false })
  expect(backward).toMatchObject({ isMixed: false, isSplit: false })
  expect(backward.assets.map((it) => `${it.split(' ').length}`).toSorted()).toEqual(
    forward.assets.map((it) => `${it.split(' ').length}`).toSorted(),
  )
})

test('all together', () => {
  expect(playAll(scenes)).toEqual({ scenes: scenes.length, right: scenes.length, mixed: 0, split: 0 })
})
