import { readFileSync } from 'node:fs'
import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { explainCheck } from './check-detail.ts'
import { setCheckSetting } from './checks/check-settings.ts'
import { copyCheck, decideUpgrade } from './checks/copies.ts'
import { importTexts, removeTexts } from './texts/control-texts.ts'

export const checkCommands: readonly Command[] = [
  {
    path: 'compliance check copy',
    args: ['id'],
    tenant: true,
    help: 'a copy of a shipped check that can be changed, in its place in every framework',
    async run(ctx, { args }) {
      const check = await copyCheck(ctx, args['id'] ?? '')
      return { json: check, text: check.id }
    },
  },
  {
    path: 'compliance check upgrade',
    args: ['id'],
    options: {
      take: { flag: true, help: 'take what the upgrade changed into the copy' },
      keep: { flag: true, help: 'keep the copy as it is' },
    },
    tenant: true,
    help: 'what an upgrade of the product changed in the original of a copy; nothing is written without --take or --keep',
    async run(ctx, { args, options }) {
      const { id = '' } = args
      if (options['take'] && options['keep']) throw invalid('keep', 'cannot be given together with --take')
      const { upgrade } = await explainCheck(ctx, id)
      if (options['take'] || options['keep']) await decideUpgrade(ctx, id, { take: Boolean(options['take']) })
      const text = upgrade.flatMap(({ field, copied, own, shipped }) => [
        field,
        `  was      ${copied}`,
        `  is now   ${shipped}`,
        `  the copy ${own}`,
      ])
      return { json: upgrade, text: text.join('\n') || 'Nothing was changed.' }
    },
  },
  {
    path: 'compliance check set',
    args: ['framework', 'id'],
    options: {
      off: { flag: true, help: 'it does not count for the framework; without this it does' },
      tolerance: {
        value: 'N',
        help: 'how many may fail there, or a share such as 2%; that of the check unless given',
      },
    },
    tenant: true,
    help: 'how a check counts for a framework',
    async run(ctx, { args, options }) {
      const { framework = '', id: checkId = '' } = args
      const tolerance = options['tolerance'] === undefined ? null : String(options['tolerance'])
      const setting = await setCheckSetting(ctx, {
        framework,
        checkId,
        isOff: Boolean(options['off']),
        tolerance,
      })
      return { json: setting, text: `${checkId} is ${setting.isOff ? 'off' : 'on'} for ${framework}.` }
    },
  },
  {
    path: 'compliance texts import',
    args: ['framework', 'file'],
    options: {
      exported: { flag: true, help: 'the licence lets the texts stand in files of statements too' },
    },
    tenant: true,
    help: 'texts of a framework that the organisation holds a licence for: a CSV file with the columns id, title, text, or an OSCAL catalogue as JSON',
    async run(ctx, { args, options }) {
      const { framework = '', file = '' } = args
      const isExported = Boolean(options['exported'])
      const controls = await importTexts(ctx, { framework, rows: textOf(file), isExported })
      return { json: { framework, controls }, text: `${controls} controls of ${framework} have their text.` }
    },
  },
  {
    path: 'compliance texts remove',
    args: ['framework'],
    tenant: true,
    help: 'removes the imported texts of a framework',
    async run(ctx, { args }) {
      const { framework = '' } = args
      await removeTexts(ctx, framework)
      return { json: { framework }, text: `The imported texts of ${framework} are gone.` }
    },
  },
]

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw invalid('file', `cannot be read: ${(error as Error).message}`)
  }
}
