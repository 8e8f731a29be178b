import type { PackageKey, PackageRules } from '#features/advisories/advisories.ts'
import { isVendorNamed } from '#features/software/software.ts'
import type { SoftwareRow } from './installed-software-store.ts'
import { isSelfReported } from './matchers/cpe.ts'
import type { Installed } from './matchers/matcher.ts'
import { keysOf, matchesOf } from './find-matches.ts'
import type { SoftwareMatches } from './match-store.ts'

/** Converts a row of `software` to the input of the matchers. Pure. */
export function installedFrom(row: SoftwareRow): Installed {
  const { name, version, sourceName, sourceVersion, vendor, vendorKey, productKey } = row
  const isNamed = vendorKey !== '' && productKey !== ''
  return {
    origin: row.origin as Installed['origin'],
    ecosystem: row.ecosystem,
    name,
    version,
    ...(vendor !== '' && { vendor }),
    ...(sourceName !== '' && { source: { name: sourceName, version: sourceVersion || undefined } }),
    ...(row.purl !== '' && { purl: row.purl }),
    ...(row.cpe !== '' && { cpe: row.cpe }),
    ...(isNamed && {
      products: [{ name: `a:${vendorKey}:${productKey}`, isVendorSure: isVendorNamed(vendor, vendorKey) }],
    }),
  }
}

export interface Lookup {
  readonly row: SoftwareRow
  readonly installed: Installed
  readonly keys: readonly PackageKey[]
}

export function lookupOf(row: SoftwareRow): Lookup {
  const installed = installedFrom(row)
  return { row, installed, keys: keysOf(installed) }
}

export function lookedUp(
  { row, installed, keys }: Lookup,
  rules: ReadonlyMap<string, readonly PackageRules[]>,
): SoftwareMatches {
  return {
    softwareId: row.id,
    package: row.name,
    software: `${row.name} ${row.version}`.trim(),
    isSelfReported: isSelfReported(installed.origin),
    keys,
    matches: matchesOf(installed, (key) => rules.get(nameOf(key)) ?? []),
  }
}

export const nameOf = ({ ecosystem, package: name }: PackageKey): string => `${ecosystem}\n${name}`
