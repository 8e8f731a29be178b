import { isVendorInName, isVendorNamed, isDistinctiveName } from '#features/software/software.ts'
import type { Installed, Product, VendorEvidence } from './matcher.ts'
import { productOfCpe, type NamedProduct } from './cpe-product.ts'

/**
 * Evidence that software is the product of a CPE vendor, and not another product of the same name: `git` is a
 * program, a Jenkins plugin and a Ruby gem.
 */

/** Undefined when only the product name agrees and is too short to be distinctive. */
export function vendorEvidenceOfName(
  { name, origin }: Installed,
  product: Product,
): VendorEvidence | undefined {
  if (product.isVendorSure) return 'vendor'
  const [, cpeVendor = '', title = ''] = product.name.split(':')
  if (isVendorInName(name, cpeVendor, title)) return 'name'
  return isDistinctiveName(title) || selfReported.has(origin) ? 'none' : undefined
}

/** Origins in which the software reports its own name. */
const selfReported: ReadonlySet<Installed['origin']> = new Set(['banner', 'snmp', 'os'])

/**
 * For a CPE name that the source reports. SBOM tools often derive it from the package name, so it is no evidence of
 * the vendor.
 */
export function vendorEvidenceOfCpe(
  { origin, vendor = '', purl = '' }: Installed,
  own: NamedProduct,
): VendorEvidence {
  const [, cpeVendor = ''] = own.name.split(':')
  if (origin !== 'sbom' || isVendorNamed(vendor, cpeVendor)) return 'vendor'
  return isBinary(purl) ? 'name' : 'none'
}

/** Identified by the content of the file, not by a package registry. */
const isBinary = (purl: string): boolean => purl.startsWith('pkg:generic/')

export const ownProduct = ({ cpe }: Installed): NamedProduct | undefined =>
  cpe === undefined ? undefined : productOfCpe(cpe)
