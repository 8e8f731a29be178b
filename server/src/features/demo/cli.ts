import type { Command } from '#platform/command.ts'
import { ASSETS_DEFAULT, ASSETS_MAX, furnish, SEED_DEFAULT } from './demo.ts'
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
    help: 'add a believable estate: offices, data centre, cloud, plant, people and software',
    async run(ctx, { options }) {
      const result = await furnish(ctx, {
        assets: wholeNumber(options.assets, ASSETS_DEFAULT),
        seed: wholeNumber(options.seed, SEED_DEFAULT),
      })
      const { assets, seed, observed, created, updated, unchanged } = result
      const text = [
        `An estate of ${assets} assets (seed ${seed}), as ${sourceNames.length} sources see it: ${observed} sightings,`,
        `of which ${created} made an asset, ${updated} said more about one, and ${unchanged} were known.`,
        '',
        'Next: npm start, and with the address and the key that it prints',
        "  curl -H 'X-API-Key: KEY' 'ADDRESS/api/v1/assets?limit=5'",
        'To see why several sightings are one asset: npx rollcall asset explain ID --tenant SLUG',
      ]
      return { json: result, text: text.join('\n') }
    },
  },
]

/** Not a number when the text is none; the verb refuses it by name. */
const wholeNumber = (text: string | true | undefined, absent: number): number =>
  text === undefined ? absent : /^\d+$/.test(String(text)) ? Number(text) : Number.NaN
