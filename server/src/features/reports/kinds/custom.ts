import { changeText } from '../simulation/change.ts'
import { simulationSections } from '../simulation/simulation-sections.ts'
import { assetNotes } from './asset-audit.ts'
import { assetFigures } from './figures/asset-figures.ts'
import { assetList } from './asset-list.ts'
import { chosenSections, tableNotes } from '../tables/chosen-sections.ts'
import type { Collecting, ReportKind } from './kind.ts'

/**
 * The table that was chosen; without one the assets with the columns of the audit, to choose from with a spreadsheet. Or
 * what a change of assets would do.
 */
export const custom: ReportKind = {
  type: 'custom',
  permissions: ['assets:read'],
  notes: notesOf,
  figures: (collecting) => (collecting.simulation || collecting.table ? undefined : assetFigures(collecting)),
  sections(collecting) {
    const { simulation, table } = collecting
    if (simulation) return simulationSections(collecting, simulation)
    return table ? chosenSections(collecting, table) : [assetList(collecting)]
  },
}

async function notesOf(collecting: Collecting): Promise<readonly string[]> {
  const { simulation, table } = collecting
  if (table) return tableNotes(table)
  if (!simulation) return assetNotes(collecting)
  return [
    `A simulation: ${changeText(simulation)}. Nothing was changed.`,
    'It is worked out from what is known now. What a change would bring that is not recorded, such as new findings of a new version, is not in it.',
    'Checks that ask about software or findings are evaluated as if the change were made; what they cannot know then is unknown, and no pass.',
  ]
}
