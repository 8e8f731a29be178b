/** A name of the CPE dictionary in its eleven fields; `*` is any, `-` is none. */
export interface Cpe {
  readonly part: string
  readonly vendor: string
  readonly product: string
  readonly version: string
  readonly update: string
  readonly edition: string
  readonly swEdition: string
  readonly targetSw: string
  readonly targetHw: string
}

/** Reads `cpe:2.3:…` (NISTIR 7695, 6.2) and `cpe:/…` (6.1); undefined for anything else. Values are unquoted. */
export function parseCpe(text: string): Cpe | undefined {
  const fields = text.startsWith('cpe:2.3:')
    ? boundFields(text)
    : text.startsWith('cpe:/')
      ? uriFields(text)
      : []
  const [
    part = '',
    vendor = '',
    product = '',
    version = '*',
    update = '*',
    edition = '*',
    ,
    swEdition = '*',
    targetSw = '*',
    targetHw = '*',
  ] = fields
  if (!/^[aoh]$/.test(part) || vendor === '' || product === '') return undefined
  return { part, vendor, product, version, update, edition, swEdition, targetSw, targetHw }
}

/** What rules are filed under: `a:openbsd:openssh`. */
export const cpeKey = ({ part, vendor, product }: Pick<Cpe, 'part' | 'vendor' | 'product'>): string =>
  `${part}:${vendor}:${product}`.toLowerCase()

/** A colon that is quoted belongs to its field. */
const boundFields = (text: string): string[] =>
  (text.slice('cpe:2.3:'.length).match(/(?:[^:\\]|\\.)+/g) ?? []).map((field) =>
    field.replace(/\\(.)/g, '$1'),
  )

/** The edition of the old form may be packed, `~edition~sw_edition~target_sw~target_hw~other`. */
function uriFields(text: string): string[] {
  const plain = text.slice('cpe:/'.length).split(':').map(decoded)
  const [part = '', vendor = '', product = '', version = '*', update = '*', edition = '*', language = '*'] =
    plain
  const [, packed = edition, swEdition = '*', targetSw = '*', targetHw = '*'] = edition.startsWith('~')
    ? edition.split('~').map((it) => it || '*')
    : []
  return [part, vendor, product, version, update, packed, language, swEdition, targetSw, targetHw]
}

function decoded(field: string): string {
  try {
    return decodeURIComponent(field) || '*'
  } catch {
    return field || '*'
  }
}
