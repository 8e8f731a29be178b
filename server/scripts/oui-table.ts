/**
 * Makes `features/recognition/data/oui.tsv` of the public registries of the IEEE:
 *
 *   node server/scripts/oui-table.ts oui.csv mam.csv oui36.csv iab.csv cid.csv > …/data/oui.tsv
 *
 * The files are those of https://standards-oui.ieee.org; instead of the first three, the `index.json` of the npm
 * package oui-data may be given. A later file never replaces what an earlier one says.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

/** Blocks that hold smaller ones, and registrants who stay secret: no answer is better than these. */
const nobody = /^(ieee registration authority|private)$/i

const registrants = new Map<string, string>()
for (const file of process.argv.slice(2)) {
  for (const [prefix, name] of readRegistry(file)) {
    if (!registrants.has(prefix)) registrants.set(prefix, name.trim().replaceAll(/\s+/g, ' '))
  }
}

const prefixesOf = Map.groupBy(
  [...registrants].filter(([, name]) => name !== '' && !nobody.test(name)),
  ([, name]) => name,
)
const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : 1)

for (const name of [...prefixesOf.keys()].toSorted(byCodeUnit)) {
  const prefixes = prefixesOf.get(name)!.map(([prefix]) => prefix)
  process.stdout.write(`${name}\t${prefixes.toSorted(byCodeUnit).join(' ')}\n`)
}

function readRegistry(file: string): [prefix: string, name: string][] {
  const content = readFileSync(file, 'utf8')
  if (file.endsWith('.json')) {
    return Object.entries(JSON.parse(content) as Record<string, string>).map(([prefix, address]) => [
      prefix,
      address.split('\n')[0]!,
    ])
  }
  const rows: { Assignment: string; 'Organization Name': string }[] = parse(content, { columns: true })
  return rows.map((row) => [row.Assignment, row['Organization Name']])
}
