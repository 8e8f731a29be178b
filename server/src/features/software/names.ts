/** Vendor and product as the CPE dictionary spells them; empty where not known. */
export interface NormalisedName {
  readonly vendor: string
  readonly product: string
}

export function normalisedName(name: string, vendor: string): NormalisedName {
  return { vendor: vendor.toLowerCase(), product: name.toLowerCase() }
}
