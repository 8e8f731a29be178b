import { setDemoData } from '#features/tenancy/tenancy.ts'
import type { Command } from '#platform/cli/command.ts'
import { ASSETS_DEFAULT, ASSETS_MAX, createDemoData, loadSampleAdvisories, SEED_DEFAULT } from './demo.ts'
import { sourceNames } from './sources.ts'

export const commands: readonly Command[] = [
  {
    path: 'demo',
    tenant: true,
    options: {
      assets: { value: 'N', help: `how many, 1 to ${ASSETS_MAX}; ${ASSETS_DEFAULT} unless given` },
      seed: {
        value: 'S',
        help: `a whole number: the same estate for the same seed; ${SEED_DEFAULT} unless given`,
      },
    },
    help: 'adds demo data: a company with offices, data centre, cloud, factory, users and software',
    async run(ctx, { options, system }) {
      await setDemoData(ctx)
      const records = system ? await loadSampleAdvisories(system) : 0
      const result = await createDemoData(ctx, {
        assets: wholeNumber(options.assets, ASSETS_DEFAULT),
        seed: wholeNumber(options.seed, SEED_DEFAULT),
      })
      const { assets, seed, observed, created, updated, unchanged } = result
      const text = [
        `An estate of ${assets} assets (seed ${seed}), as ${sourceNames.length} sources see it: ${observed} sightings,`,
        `of which ${created} made an asset, ${updated} said more about one, and ${unchanged} were known.`,
        ...(records > 0
          ? [`Feeds that had nothing got ${records} records, for findings; rollcall feeds status shows them.`]
          : []),
        '',
        'Next: npm start, and with the address and the key that it prints',
        "  curl -H 'X-API-Key: KEY' 'ADDRESS/api/v1/assets?limit=5'",
        'To see why several sightings are one asset: npx rollcall asset explain ID --tenant SLUG',
      ]
      return { json: { ...result, records }, text: text.join('\n') }
    },
  },
]

/** NaN for text that is not a whole number, which `createDemoData` refuses with the field's name. */
const wholeNumber = (text: string | true | undefined, absent: number): number =>
  text === undefined ? absent : /^\d+$/.test(String(text)) ? Number(text) : Number.NaN
