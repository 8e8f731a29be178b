import { UNPLACED_MAX } from '../../links/links-store.ts'
import { atMost, Tally, type KeyFigures } from './key-figures.ts'

export function topologyFigures(): KeyFigures {
  const tally = new Tally<'links' | 'points' | 'vlans' | 'subnets' | 'unplaced'>()
  let worst = 0
  return {
    see: {
      links: () => tally.add('links', 1),
      single_points_of_failure({ cuts_off: cutsOff }) {
        tally.add('points', 1)
        if (typeof cutsOff === 'number') worst = Math.max(worst, cutsOff)
      },
      vlans: () => tally.add('vlans', 1),
      subnets: () => tally.add('subnets', 1),
      unplaced: () => tally.add('unplaced', 1),
    },
    figures: () => [
      { figure: 'Links', value: tally.of('links') },
      {
        figure: 'Single points of failure',
        value: tally.of('points'),
        ...(worst > 0 && { unit: `the worst cuts off ${worst}` }),
      },
      { figure: 'VLANs', value: tally.of('vlans') },
      { figure: 'Subnets', value: tally.of('subnets') },
      { figure: 'Devices without a link', ...atMost(tally.of('unplaced'), UNPLACED_MAX) },
    ],
  }
}
