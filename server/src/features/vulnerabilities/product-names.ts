/** Names of the CPE dictionary in the two bindings of NISTIR 7695. */
export interface NamedProduct {
  /** `part:vendor:product`, lower case, without escapes. */
  readonly name: string
  /** Empty when it names none. */
  readonly version: string
}

export function productIn(cpe: string): NamedProduct | undefined {
  const fields = cpe.startsWith('cpe:2.3:')
    ? splitFormatted(cpe.slice('cpe:2.3:'.length))
    : splitUri(cpe.replace(/^cpe:\//, ''))
  const [part = '', vendor = '', product = '', version = '', update = ''] = fields.map(unescaped)
  if (!/^[aoh]$/.test(part) || isAny(vendor) || isAny(product)) return undefined
  const named = isAny(version) ? '' : version
  return {
    name: `${part}:${vendor}:${product}`,
    version: named !== '' && !isAny(update) ? `${named}${update}` : named,
  }
}

const isAny = (field: string): boolean => field === '' || field === '*' || field === '-'

/** At colons that no backslash precedes. */
const splitFormatted = (text: string): string[] => text.split(/(?<!\\):/)
const splitUri = (text: string): string[] => text.split(':').map(decoded)
const unescaped = (field: string): string => field.replaceAll(/\\(.)/g, '$1').toLowerCase()

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
