/**
 * Makes `features/recognition/data/enterprise-numbers.tsv` of the registry of private enterprise numbers:
 *
 *   node server/scripts/enterprise-numbers.ts enterprise-numbers.txt > …/data/enterprise-numbers.tsv
 *
 * The file is that of https://www.iana.org/assignments/enterprise-numbers/, or one with a number and an organization on
 * lines by turns. Of its organizations, those are kept whom `vendors.json` knows as makers of devices.
 */
import { readFileSync } from 'node:fs'
import { vendorName, vendors } from '#features/recognition/vendors/vendors.ts'

/** Organizations of a maker's name that are others. */
const namesakes = new Set([544, 715, 1145, 1753, 2399, 4154, 6202, 8458, 9105, 9938])

const known = new Set(vendors().map(({ name }) => name))
const lines = readFileSync(process.argv[2]!, 'utf8').split('\n')
const rows = lines.flatMap((line, at) => {
  const vendor = /^\d+$/.test(line.trim()) ? vendorName(lines[at + 1] ?? '') : ''
  return known.has(vendor) && !namesakes.has(Number(line)) ? [{ number: Number(line), vendor }] : []
})
for (const { number, vendor } of rows.toSorted((a, b) => a.number - b.number))
  process.stdout.write(`${number}\t${vendor}\n`)
