import type { Entry } from '../inventory/software-entry.ts'
import { cpeCandidates } from './cpe-candidates.ts'
import type { Catalogue } from './known-cpe-products.ts'

/** Vendor and product as the CPE dictionary spells them; empty where not known. */
export interface NormalisedName {
  readonly vendor: string
  readonly product: string
}

/**
 * Below this a pair of the catalogue is another product more often than one time in fifty, measured on labelled names.
 */
const SCORE_MIN = 0.6

/**
 * Packages keep their own name. For a display name the candidate of the highest score is used, preferably one that the
 * catalogue has.
 */
export function normalisedName(
  { origin, name, vendor }: Pick<Entry, 'origin' | 'name' | 'vendor'>,
  catalogue?: Catalogue,
): NormalisedName {
  if (!displayedOrigins.includes(origin)) return { vendor: '', product: name.toLowerCase() }
  const [known] = catalogue ? cpeCandidates(name, vendor, catalogue) : []
  const [best] = known && known.score >= SCORE_MIN ? [known] : cpeCandidates(name, vendor)
  return best ? { vendor: best.vendor, product: best.product } : { vendor: '', product: '' }
}

/** Origins that report display names instead of package names. */
export const displayedOrigins: readonly string[] = ['windows', 'macos', 'snmp', 'banner', 'flatpak', 'snap']
