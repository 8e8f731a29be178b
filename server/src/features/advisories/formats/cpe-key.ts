/** Package key of CPE rules: `a:openbsd:openssh`. */
export const cpeKey = ({ part, vendor, product }: CpeKey): string =>
  `${part}:${vendor}:${product}`.toLowerCase()

interface CpeKey {
  readonly part: string
  readonly vendor: string
  readonly product: string
}
