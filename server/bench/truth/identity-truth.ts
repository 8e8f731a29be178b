import { playAll } from '../identity/play-scene.ts'
import { scenes } from '../identity/scenes.ts'
import { shareRow, type TruthSection } from './rows.ts'

export const identityTruth: TruthSection = {
  title:
    'Identity (scenes from issue trackers, forward and backward; the rules were written with them in mind)',
  folder: '',
  rows: () => {
    const { scenes: asked, right, mixed } = playAll(scenes)
    return [
      shareRow('scenes right, or asked', { asked, count: right }, { atLeast: 0.97 }),
      shareRow('strangers made one', { asked, count: mixed }, { atMost: 0 }),
    ]
  },
}
