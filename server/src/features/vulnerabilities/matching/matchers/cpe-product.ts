import { ANY, NONE, parseCpe } from '#features/software/software.ts'

/** A product by its name in the CPE dictionary. */
export interface NamedProduct {
  /** `part:vendor:product`, lower case, without escapes. */
  readonly name: string
  /** Empty when it names none. */
  readonly version: string
}

/** Undefined for what names no one product. */
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
