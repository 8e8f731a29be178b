/**
 * Makes `features/recognition/data/enterprise-numbers.tsv` of the registry of private enterprise numbers:
 *
 *   node server/scripts/enterprise-numbers.ts enterprise-numbers.txt > …/data/enterprise-numbers.tsv
 *
 * The file is that of https://www.iana.org/assignments/enterprise-numbers/, or one with a number, a tab and an
 * organization a line. Of its organizations those are kept that make devices: whom `vendors.json` knows, and whose very
 * name, but for the legal form, the IEEE gave a block of MAC addresses to.
 */
import { readFileSync } from 'node:fs'
import { registrantNamed, withoutLegalForm } from '#features/recognition/vendors/registrants.ts'
import { vendorName, vendors } from '#features/recognition/vendors/vendors.ts'

/** Organizations of a maker's name that are others. */
const namesakes = new Set([
  544, 715, 943, 1145, 1577, 1753, 2399, 3508, 3761, 3775, 4154, 6202, 8458, 9105, 9938, 13513, 13515, 16195,
  20840, 21912, 22141, 22867, 23408, 23783, 24637, 25031, 25278, 25339, 25745, 25984, 26662, 26687, 27474,
  28002, 29430, 29714, 30357, 31356, 31737, 31770, 32059, 32629, 34949, 36313, 36722, 37758, 38757, 38930,
  39047, 39055, 41218, 42006, 42093, 43202, 43496, 43780, 44008, 45789, 46082, 46198, 47729, 48101, 48625,
  49279, 50782, 51142, 51843, 52076, 52328, 52401, 52488, 53266, 54869, 54870, 55028, 55861, 55863, 56329,
  56606, 57082, 57460, 58007, 58315, 58579, 59356, 59566, 59639, 60126, 60470, 61503, 61520, 62098,
])

const known = new Set(vendors().map(({ name }) => name))

const lines = readFileSync(process.argv[2]!, 'utf8').split('\n')
const rows = lines.flatMap((line, at) => {
  const [, number, beside] = /^(\d+)(?:\t(.*))?$/.exec(line.trimEnd()) ?? []
  const vendor = number ? makerAmong(namesIn(beside ?? lines[at + 1] ?? '')) : undefined
  return vendor && !namesakes.has(Number(number)) ? [{ number: Number(number), vendor }] : []
})
for (const { number, vendor } of rows.toSorted((a, b) => a.number - b.number))
  process.stdout.write(`${number}\t${vendor}\n`)

/** Today's name, then the one that it had: `Vertiv Tech (formerly 'Emerson Network Power')`. */
function namesIn(organization: string): string[] {
  const [, name = '', former] =
    /^(.*?)(?:\s*[#(]\s*[Ff]ormerly:? '?([^')]*).*)?$/.exec(organization.trim()) ?? []
  return [name, former ?? '']
    .map((each) => each.replace(/ \(.*/, '').trim())
    .filter((each) => withoutLegalForm(each) !== '')
}

function makerAmong(names: readonly string[]): string | undefined {
  const maker = names.map(vendorName).find((name) => known.has(name))
  return maker ?? names.map((name) => registrantNamed(name)).find((name) => name !== undefined)
}
