import type { Command } from '#platform/cli/command.ts'
import { paperNames } from './paper-name.ts'
import { reportPaper, setReportPaper } from './paper-setting.ts'

export const paperCommand: Command = {
  path: 'report paper',
  tenant: true,
  options: { set: { value: 'PAPER', help: `one of ${paperNames.join(', ')}` } },
  help: 'shows or sets the paper on which the PDF of reports is laid out',
  async run(ctx, { options: { set } }) {
    const paper = typeof set === 'string' ? await setReportPaper(ctx, set) : await reportPaper(ctx)
    return { json: { paper }, text: paper }
  },
}
