import type { Entry } from './entry.ts'
import { cpeCandidates } from './naming/candidates.ts'

/** Vendor and product as the CPE dictionary spells them; empty where not known. */
export interface NormalisedName {
  readonly vendor: string
  readonly product: string
}

/** Packages keep the name that their manager gives them; of a display name the likeliest guess counts. */
export function normalisedName({
  origin,
  name,
  vendor,
}: Pick<Entry, 'origin' | 'name' | 'vendor'>): NormalisedName {
  if (!displayed.has(origin)) return { vendor: '', product: name.toLowerCase() }
  const [best] = cpeCandidates(name, vendor)
  return best ? { vendor: best.vendor, product: best.product } : { vendor: '', product: '' }
}

/** Where names are written for people. */
const displayed: ReadonlySet<string> = new Set(['windows', 'macos', 'snmp', 'banner', 'flatpak', 'snap'])
