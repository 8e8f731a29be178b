import { ANY, NONE, parseCpe } from '#features/software/software.ts'

/** A product by its CPE name. */
export interface NamedProduct {
  /** `part:vendor:product`, lower case, without escapes. */
  readonly name: string
  /** Empty when the CPE name has no version. */
  readonly version: string
}

/** Undefined for a CPE name without one definite product. */
export function productOfCpe(text: string): NamedProduct | undefined {
  const cpe = parseCpe(text)
  if (!cpe || !isSet(cpe.vendor) || !isSet(cpe.product)) return undefined
  const update = isSet(cpe.update) ? cpe.update : ''
  return {
    name: `${cpe.part}:${cpe.vendor}:${cpe.product}`,
    version: isSet(cpe.version) ? `${cpe.version}${update}` : '',
  }
}

const isSet = (value: string): boolean => value !== ANY && value !== NONE && value !== ''
