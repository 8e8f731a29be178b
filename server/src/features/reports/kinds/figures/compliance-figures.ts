import { Tally, type KeyFigures } from './key-figures.ts'

/** Those of controls, in the order in which they are told. */
const statuses = [
  ['fail', 'Controls that fail'],
  ['warning', 'Controls with a warning'],
  ['pass', 'Controls that pass'],
  ['not_applicable', 'Controls that do not apply'],
  ['not_assessed', 'Controls not assessed'],
] as const

export function complianceFigures(): KeyFigures {
  const [controls, checks] = [new Tally<string>(), new Tally<string>()]
  return {
    see: {
      controls({ status }) {
        controls.add('all', 1)
        controls.add(String(status), 1)
      },
      actions({ severity }) {
        checks.add('all', 1)
        checks.add(String(severity), 1)
      },
    },
    figures: (sections) =>
      controls.of('all') === 0
        ? []
        : [
            ...statuses.map(([status, figure]) => ({
              figure,
              value: controls.of(status),
              unit: `of ${controls.of('all')}`,
            })),
            ...(sections.has('actions')
              ? [
                  {
                    figure: 'Checks that fail',
                    value: checks.of('all'),
                    unit: `${checks.of('critical')} critical, ${checks.of('high')} high`,
                  },
                ]
              : []),
          ],
  }
}
