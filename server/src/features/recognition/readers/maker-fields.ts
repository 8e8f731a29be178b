import { isChosen, type TextSource } from '../signals.ts'
import { registrantNamed } from '../vendors/registrants.ts'
import { isKnownVendor, vendorName } from '../vendors/vendors.ts'

/**
 * The maker where no known word names one: in a field that holds nothing else, in a certificate's organization, or as a
 * company's name with its legal form. What is no such field is believed only of makers of network devices: whom
 * `vendors.json` knows, or who has a block of MAC addresses. Empty: nobody.
 */
export function makerSaidIn(source: TextSource, text: string, isField: boolean): string {
  if (isChosen(source) || source === 'favicon' || source === 'hint') return ''
  if (isField) return isName(text) ? vendorName(text) : ''
  const field = fields.exec(text)?.[1]?.trim()
  if (field && isName(field)) return vendorName(field)
  const organization = source === 'tls' ? organizations.exec(text)?.[1]?.trim() : undefined
  return deviceMaker(organization) ?? companyIn(text) ?? ''
}

/** Of IEEE 1284, DNS-SD, UPnP and DHCP. */
const fields =
  /(?:^|[^a-z])(?:usb_mfg|mfg|mfr|manufacturer|vendor[_ ]?name)["']?\s?(?:[:=]|&gt;|>)\s?["']?([^;:,|"'<>&=()]{2,48})/i

const organizations = /(?:^|[^a-z])O ?= ?"?([^"/+;=]{2,64}?)"?(?=$|[/+;]|, ?[A-Z]{1,3} ?=)/i

/** A name has letters, and is none of the words that stand where nobody filled in a name. */
const isName = (text: string): boolean =>
  text.length <= 64 && /\p{L}{2}/u.test(text) && !/\d{4}|@|\/\//.test(text) && !placeholders.test(text.trim())

const placeholders =
  /^(?:unknown|n\/?a|none|null|undefined|default( string)?|generic|oem|manufacturer|vendor( ?name)?|to be filled .*|system manufacturer|not (specified|available|applicable)|test|private)$/i

function deviceMaker(name: string | undefined): string | undefined {
  if (name === undefined || name === '') return undefined
  return isKnownVendor(name) ? vendorName(name) : registrantNamed(name)
}

/** Up to four words with capitals before a legal form; the longest of them that is somebody's name. */
function companyIn(text: string): string | undefined {
  for (const [, before = '', form = ''] of [...text.matchAll(companies)].slice(0, COMPANIES_MAX)) {
    const words = before.trim().split(/[ ,]+/)
    for (let from = 0; from < words.length; from++) {
      const name = deviceMaker(`${words.slice(from).join(' ')} ${form}`)
      if (name !== undefined) return name
    }
  }
  return undefined
}

/** A text that names more is about many things. */
const COMPANIES_MAX = 8

const companies =
  /((?:\b[A-Z0-9][\w&.+-]{0,31},? ){1,4})(Inc|Incorporated|Corp|Corporation|Ltd|Limited|GmbH|AG|KG|LLC|Co|S\.?p\.?A|S\.?A|B\.?V|AB|Oyj?|A\/S|ApS|Pty|Sdn|s\.r\.o|Srl)\b/g
