/** Normalises names to the spelling of the CPE dictionary: lower case ASCII words joined by underscores. */

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['lt', '<'],
  ['gt', '>'],
  ['nbsp', ' '],
  ['ndash', '-'],
  ['mdash', '-'],
  ['reg', ''],
  ['trade', ''],
  ['copy', ''],
])
const CODE_POINT_MAX = 0x10ffff

/** Of HTML and XML, which some lists of software and some records keep: `&amp;`, `&#8211;`. */
function withoutEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(x[\da-f]{1,6}|\d{1,7})|([a-z]{2,6}));/gi,
    (whole, digits?: string, name?: string) => {
      const code = digits?.replace(/^x/i, '0x')
      if (code === undefined) return ENTITIES.get((name ?? '').toLowerCase()) ?? whole
      return Number(code) > 0 && Number(code) <= CODE_POINT_MAX ? String.fromCodePoint(Number(code)) : whole
    },
  )
}

/** `Café Straße™` is `cafe strasse`. */
export function normalised(text: string): string {
  return withoutEntities(text)
    .replaceAll(/[\u2122\u00ae\u00a9]/g, '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/\(?\b(?:r|tm)\)/gi, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .toLowerCase()
    .replaceAll(/[\u2010-\u2015]/g, '-')
    .replaceAll(/[\u2018\u2019\u201c\u201d'"`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** A CPE value: characters other than letters, digits and `.+-&,!` become underscores. */
export function slug(text: string): string {
  return text
    .replaceAll(/[^a-z0-9.+\-&,!\u0080-\uffff]+/g, '_')
    .replaceAll(/_*-_+|_+-_*/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^[_-]+|[_.,!-]+$/g, '')
}

/** For comparing spellings: letters and digits alone. */
export const lettersAndDigits = (text: string): string => text.replaceAll(/[^a-z0-9]+/g, '')

const LEGAL =
  /(?:,|\s)+(?:inc|incorporated|llc|l\.l\.c|ltd|ltda|limited|gmbh(?: & co\.? kg)?|ag|se|kg|e\.?\s?u|e\.?v|corp|corporation|co|company|plc|s\.?r\.?l|s\.?p\.?a|s\.?a|s\.?a\.?s|sas|b\.?v|n\.?v|a\/s|aps|ab|as|oy|oyj|kft|sp\. ?z ?o\.? ?o|d\.?o\.?o|s\.?r\.?o|pty|pvt|pte|k\.?k|co\.,? ?ltd|jsc|o\u00fc|nyrt|zrt)\.?$/

/** Where the legal form comes first: `AO Kaspersky Lab`, `UAB`, `PT`. */
const LEGAL_BEFORE = /^(?:ao|oao|ooo|zao|pao|jsc|pjsc|uab|sia|pt)\s+(?=\S)/

/** A company name without its legal form (Inc., GmbH). */
export function withoutLegalForm(vendor: string): string {
  let text = vendor.replaceAll(/\s*\([^()]*\)/g, ' ').trim()
  for (;;) {
    const next = text
      .replace(LEGAL, '')
      .replace(LEGAL_BEFORE, '')
      .replace(/[,.\s]+$/, '')
      .replace(/_(?:se|ag|inc)$/, '')
    if (next === text || next === '') return text
    text = next
  }
}

/** Generic words in vendor names that the CPE dictionary mostly omits. */
const LOOSE =
  /\s+(?:software foundation|foundation|software|technologies|technology|networks|systems|solutions|project|team|labs|group|holdings|international|development|developers?|plugins?|themes?|electronics|industries|enterprises?|communications|digital|media|studios?|web design|computer|security)$/

export function withoutGenericWords(vendor: string): string {
  const next = vendor.replace(LOOSE, '').trim()
  return next === '' ? vendor : next
}

const PLATFORM =
  /\s+(?:for|on)\s+(?:microsoft\s+)?(?:windows|macos|mac os x|mac os|mac|linux|ios|android|ipados|unix|desktop|universal|x64|arm64|32-bit|64-bit|iphone|wordpress)\b.*$/
const ARCHITECTURE =
  /\b(?:x86[_-]64|x64|x86|amd64|arm64|aarch64|i[36]86|win32|win64|32[- ]?bit|64[- ]?bit|universal)\b(?: edition| version| systems?)?/g
const LANGUAGE =
  /\b(?:[a-z]{2}-[a-z]{2}|english|deutsch|german|francais|french|spanish|italian|japanese|multilingual|en|de|fr|es|it|ja|nl|pt)\b(?=\)|$)/g
const VERSION =
  /\s+(?:-\s*)?(?:(?:version|ver\.?|release|rev\.?|v\.?)\s*)?(?:v?\d+(?:\.(?:\d+|x))+[a-z]?\d*(?:[-_.+/]?(?:rc|beta|alpha|b|build|update|u|sp)?[-.]?\d+)*|\d{4,}\.\d+\S*)(?=\s|$|\))/g
const NAMED_VERSION =
  /,?\s+(?:version|release|ver\.?|release wave|cumulative update|update|service pack|sp|cu|build|patch|hotfix)\s*v?\d[\w.]*$/
const EDITION =
  /\s+(?:(?:community|standard|professional|enterprise|ultimate|personal|premium|business|free|trial|lts|esr)\s+(?:edition|version)|edition|beta|nightly|preview|setup|installer)$/
const TAGLINE = /\s+-\s+|:\s|\s\|\s/
/** A year at the end of a name; names of Windows releases keep it. */
const YEAR = /\s+(?:(?:and|-)\s+)?(?:19|20)\d\d$/

/** A display name without version, architecture, language, platform, edition and tagline. */
export function withoutVersion(name: string): string {
  let text = (name.replace(/\.(?:app|exe|msi|dmg)$/, '').split(TAGLINE)[0] ?? '').trim() || name
  for (;;) {
    const next = text
      .replace(PLATFORM, '')
      .replaceAll(VERSION, ' ')
      .replaceAll(ARCHITECTURE, ' ')
      .replaceAll(/\(([^()]*)\)/g, (whole, inside: string) =>
        inside.replaceAll(LANGUAGE, '').trim() === '' ? ' ' : whole,
      )
      .replace(NAMED_VERSION, '')
      .replace(EDITION, '')
      .replaceAll(/\(\s*[,;]?\s*\)/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replace(/[\s\-,:]+$/, '')
      .trim()
    if (next === text || next === '') return text
    text = next
  }
}

export const withoutYear = (name: string): string =>
  (name.startsWith('windows') ? name : name.replace(YEAR, '')) || name
