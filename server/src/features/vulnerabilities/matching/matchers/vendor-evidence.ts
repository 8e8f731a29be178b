import { isVendorInName, isVendorNamed, isDistinctiveName } from '#features/software/software.ts'
import type { Installed, Product, VendorEvidence } from './matcher.ts'
import { productOfCpe, type NamedProduct } from './cpe-product.ts'

/**
 * What says that software is the product of that maker, and not another one of the same name: git is a plugin, a gem
 * and a program.
 */

/** Undefined where the name alone would say it, and is a word that many products have. */
export function vendorEvidenceOfName(
  { name, origin }: Installed,
  product: Product,
): VendorEvidence | undefined {
  if (product.isVendorSure) return 'maker'
  const [, maker = '', title = ''] = product.name.split(':')
  if (isVendorInName(name, maker, title)) return 'name'
  return isDistinctiveName(title) || saysItself.has(origin) ? 'none' : undefined
}

/** What a service says of itself is no name that somebody else chose. */
const saysItself: ReadonlySet<Installed['origin']> = new Set(['banner', 'snmp', 'os'])

/** A CPE name that the source gives. Tools that write bills of materials make it up from the name of the package. */
export function vendorEvidenceOfCpe(
  { origin, vendor = '', purl = '' }: Installed,
  own: NamedProduct,
): VendorEvidence {
  const [, maker = ''] = own.name.split(':')
  if (origin !== 'sbom' || isVendorNamed(vendor, maker)) return 'maker'
  return isBinary(purl) ? 'name' : 'none'
}

/** Told by what is in the file itself, not by what a registry calls it. */
const isBinary = (purl: string): boolean => purl.startsWith('pkg:generic/')

export const ownProduct = ({ cpe }: Installed): NamedProduct | undefined =>
  cpe === undefined ? undefined : productOfCpe(cpe)
