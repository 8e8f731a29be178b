import { readFileSync } from 'node:fs'
import { once } from '#platform/once.ts'
import type { Evidence } from '../signals.ts'
import { usualType } from '../vendors/vendors.ts'

/** The maker makes mostly one kind of thing; the maker alone. */
const USUAL_WORTH = 0.6
const MAKER_WORTH = 0.5

/** Whose device it is, by the vendor identifier that each device object of BACnet has (ANSI/ASHRAE 135, 12.11.10). */
export function readBacnetVendor(identifier: number): Evidence | undefined {
  const vendor = assigned().get(identifier)
  if (vendor === undefined) return undefined
  const deviceType = usualType(vendor)
  const said = { source: 'industrial', vendor, model: '' } as const
  return deviceType ? { ...said, confidence: USUAL_WORTH, deviceType } : { ...said, confidence: MAKER_WORTH }
}

/** `scripts/bacnet-vendors.ts` makes the file. */
const assigned = once(
  (): ReadonlyMap<number, string> =>
    new Map(
      readFileSync(new URL('../data/bacnet-vendors.tsv', import.meta.url), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t') as [string, string])
        .map(([identifier, vendor]) => [Number(identifier), vendor]),
    ),
)
