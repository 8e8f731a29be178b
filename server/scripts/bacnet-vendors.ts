/**
 * Makes `features/recognition/data/bacnet-vendors.tsv` of the list of BACnet vendor identifiers that ASHRAE assigns
 * (https://bacnet.org/assigned-vendor-ids/), a line each: identifier, organization and whatever else, with semicolons.
 *
 *   node server/scripts/bacnet-vendors.ts list.csv > …/data/bacnet-vendors.tsv
 */
import { readFileSync } from 'node:fs'
import { vendorName } from '#features/recognition/vendors/vendors.ts'

/** Organizations of a maker's name that are others. */
const namesakes = new Set([858, 1016, 1195])

/** Who assigns the identifiers, tests or studies, and makes no devices; and the spare ones. */
const others = /^(ASHRAE|NIST|.*(University|Universität|Association|Institute)\b.*|Reserved.*|)$/

for (const line of readFileSync(process.argv[2]!, 'utf8').split('\n')) {
  const [number = '', organization = ''] = line.split(';')
  const name = organization.replace(/\s*\((?:formerly|was)\b.*/i, '').trim()
  if (/^\d+$/.test(number) && !others.test(name))
    process.stdout.write(`${number}\t${namesakes.has(Number(number)) ? name : vendorName(name)}\n`)
}
