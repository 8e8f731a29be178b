import { changeText } from '../simulation/change.ts'
import { simulationSections } from '../simulation/simulation-sections.ts'
import { assetNotes, assetSection } from './asset-audit.ts'
import type { Collecting, ReportKind } from './kind.ts'

/** The assets with the columns of the audit, to choose from with a spreadsheet; or what a change of them would do. */
export const custom: ReportKind = {
  type: 'custom',
  notes: notesOf,
  sections: (collecting) =>
    collecting.simulation
      ? simulationSections(collecting, collecting.simulation)
      : [assetSection(collecting)],
}

async function notesOf(collecting: Collecting): Promise<readonly string[]> {
  const { simulation } = collecting
  if (!simulation) return assetNotes(collecting)
  return [
    `A simulation: ${changeText(simulation)}. Nothing was changed.`,
    'It is worked out from what is known now. What a change would bring that is not recorded, such as new findings of a new version, is not in it.',
    'Checks that ask about software or findings are evaluated as if the change were made; what they cannot know then is unknown, and no pass.',
  ]
}
