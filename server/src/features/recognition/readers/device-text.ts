import type { Basis } from '../basis.ts'
import { confidenceOf } from '../confidence.ts'
import type { DeviceType } from '../device-types.ts'
import { holdingRules, type Hears, type Holding, type Rule } from '../rules.ts'
import { isChosen, type Evidence, type Text, type TextSource } from '../signals.ts'
import { listedModel } from './listed-models.ts'
import { makerSaidIn } from './maker-fields.ts'
import { aboutItself, headNoun } from './nouns.ts'
import { vendorKey } from '../vendors/vendors.ts'

/** Longer texts are read up to here. */
export const TEXT_MAX = 4_096

/** Evidence from a device's own text: what it is called decides, then its product's name, then its maker. */
export function readText({ source, text, isMaker }: Text, hears?: Hears): Evidence | undefined {
  const read = plain(text)
  const said = readWords(source, read, hears)
  if (!said) return undefined
  const vendor = said.vendor || makerSaidIn(source, read, isMaker === true)
  const isField = isMaker === true && vendor !== '' && said.deviceType === undefined
  return { ...said, vendor, ...(isField && { confidence: said.vendor ? FIELD_WORTH : STRANGER_WORTH }) }
}

/** A field that holds the maker: one whom we know; anybody else, who is still more than the registrant of an address. */
const FIELD_WORTH = 0.5
const STRANGER_WORTH = 0.4

function readWords(source: TextSource, read: string, hears?: Hears): Evidence | undefined {
  const all = besideTheirMaker(holdingRules(source, read, hears), source)
  const { held, isAside } = aboutItself(all, read)
  const product = productIn(held)
  const listed = listedIn(held, product, read)
  const said = decided(source, headNoun(held, read), listed ?? (product && confirmedIn(held, product)))
  const decisive = said?.by ?? held.toSorted(bySurety)[0]
  if (!said && !decisive) return silentIn(source, read)
  const basis = isAside && said ? 'aside' : (said?.basis ?? 'named')
  const vendor = decisive?.rule.vendor ?? makerIn(held)
  const model =
    said?.by === listed && listed ? listed.model : decisive?.model || modelFrom(held, vendor, said?.type)
  return {
    source,
    basis,
    confidence: confidenceOf(basis, source, said?.type),
    ...(said && { deviceType: said.type }),
    vendor,
    model: isChosen(source) ? '' : model,
  }
}

/** None of its words is known. What people or callers call a thing says nothing of how little it says itself. */
function silentIn(source: TextSource, read: string): Evidence | undefined {
  if (isChosen(source) && source !== 'title') return undefined
  if (source === 'hint' || source === 'os' || read === '') return undefined
  return {
    source,
    basis: 'silent',
    confidence: confidenceOf('silent', source, undefined),
    vendor: '',
    model: '',
  }
}

interface Said {
  readonly type: DeviceType
  readonly basis: Basis
  /** What knows the maker and the model. */
  readonly by?: Named
}

/** A product that the text names: by a rule, or by its maker's own list of products. */
interface Named {
  readonly rule: Pick<Rule, 'vendor' | 'type' | 'sole'>
  readonly kind: Basis
  readonly model: string
}

/**
 * The noun beats the product's line: a firewall of a family of switches is a firewall. Only the maker's own list of
 * models beats the noun: Junos calls whatever it runs on a router.
 */
function decided(source: TextSource, noun: Named | undefined, product: Named | undefined): Said | undefined {
  const type = noun?.rule.type ?? product?.rule.type
  const alone = spoken[source]
  if (alone) {
    const by = product?.rule.type === alone ? { by: product } : {}
    return { type: alone, basis: 'spoken', ...by }
  }
  if (!type) return source === 'rtsp' ? { type: 'camera', basis: 'loose' } : undefined
  if (product?.kind === 'listed' && noun?.rule.type !== product.rule.type)
    return { type: product.rule.type!, basis: 'listed', by: product }
  if (!noun || !product) {
    const by = (noun ?? product)!
    return { type, basis: by.kind === 'maker' && by.rule.sole ? 'sole' : by.kind, by }
  }
  return { type, basis: noun.rule.type === product.rule.type ? 'agreed' : 'contested', by: product }
}

/** The maker's list decides where it has the very model; a series of it, where no rule knows the product. */
function listedIn(held: readonly Holding[], product: Holding | undefined, text: string): Named | undefined {
  const vendor = product?.rule.vendor ?? makerIn(held)
  const listed = vendor === '' ? undefined : listedModel(vendor, text)
  if (!listed || (!listed.isExact && product && !isLast(product))) return undefined
  return {
    rule: { vendor, type: listed.type },
    kind: listed.isExact ? 'listed' : 'series',
    model: listed.model,
  }
}

/** What a second word bears out is surer than a lone one: its maker's name, or another product's of that type. */
function confirmedIn(held: readonly Holding[], product: Holding): Named {
  const { rule, kind } = product
  const bearsOut = (other: Holding): boolean =>
    other.kind === 'maker'
      ? makerOf(other) === makerOf(product) && other.rule !== rule
      : isProduct(other) && other.rule.type === rule.type && !overlap(other, product)
  return canBeConfirmed.has(kind) && held.some(bearsOut) ? { ...product, kind: 'confirmed' } : product
}

const overlap = (a: Holding, b: Holding): boolean => a.at < b.at + b.length && b.at < a.at + a.length

const canBeConfirmed: ReadonlySet<Basis> = new Set(['line', 'model', 'short', 'word'])

/** Protocols that hardly anything else speaks, whatever the text. */
const spoken: Readonly<Partial<Record<TextSource, DeviceType>>> = { pjl: 'printer', ipp: 'printer' }

const productIn = (held: readonly Holding[]): Holding | undefined =>
  held.filter(({ rule, kind }) => kind !== 'noun' && rule.type !== undefined).toSorted(bySurety)[0]

/** Model numbers that begin with two or three letters count beside their maker only; those of others look alike. */
function besideTheirMaker(holding: readonly Holding[], source: TextSource): Holding[] {
  const named = new Set(holding.filter(({ kind, isShort }) => !isShort && kind !== 'noun').map(makerOf))
  const told = new Set(holding.filter(({ kind }) => kind === 'maker').map(makerOf))
  const isBeside = (each: Holding): boolean => each.rule.vendor !== undefined && named.has(makerOf(each))
  return holding
    .filter((each) => !each.isShort || source === 'hint' || isBeside(each))
    .filter((each) => !isNumber(each, told))
    .map((each) => (isDisputed(each, told) ? { ...each, sure: each.sure * DISPUTED } : each))
}

/** One key for a maker, its brands and what went apart from it. */
const makerOf = ({ rule }: Holding): string | undefined => rule.vendor && vendorKey(rule.vendor)

/** A model number of one maker in a text that names another, who has one like it; and a system that a maker built in. */
const isNumber = (each: Holding, told: ReadonlySet<string | undefined>): boolean =>
  each.kind === 'system'
    ? each.rule.vendor === undefined && told.size > 0
    : (each.kind === 'model' || each.kind === 'short' || each.hasDigit) && isDisputed(each, told)

/** A rule of one maker counts less in a text that names another. */
const isDisputed = (each: Holding, told: ReadonlySet<string | undefined>): boolean =>
  told.size > 0 && each.rule.vendor !== undefined && !told.has(makerOf(each))

const DISPUTED = 0.85

const isLast = ({ kind }: Holding): boolean => kind === 'maker' || kind === 'system'
const isProduct = (each: Holding): boolean => canBeConfirmed.has(each.kind)

/** A maker's name and a system's are heard last. Equally sure rules: the longer word says more, then the earlier one. */
const bySurety = (a: Holding, b: Holding): number =>
  Number(isLast(a)) - Number(isLast(b)) || b.sure - a.sure || b.length - a.length || a.at - b.at

/** Beside what says no maker, only a maker's name does: rules about other products are about other things. */
const makerIn = (held: readonly Holding[]): string =>
  (held.find(({ kind }) => kind === 'maker') ?? held.find(({ rule }) => rule.vendor && !rule.type))?.rule
    .vendor ?? ''

/** From another rule of the same maker that does not say another type. */
const modelFrom = (held: readonly Holding[], vendor: string, type: DeviceType | undefined): string =>
  held.find(({ rule, model }) => model !== '' && rule.vendor === vendor && (!rule.type || rule.type === type))
    ?.model ?? ''

/** One line, without the entities and the padding of pages and screens, and without the name that people gave. */
const plain = (text: string): string =>
  text
    .slice(0, TEXT_MAX)
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&reg;', ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(sunday, '')
    .trim()
    .replace(uname, (all: string, system: string, node: string) => `${system} ${'.'.repeat(node.length)} `)

/** `Sun, 11 Mar 1984` and `Sun Jun 20`: no maker. */
const sunday = /\bSun,? (?=\d\d?[ -][A-Z][a-z]{2}\b|[A-Z][a-z]{2} \d)/g

/** The node name that `uname -a` prints behind the system's; people choose it. */
export const nodeNameIn = (text: string): string | undefined => uname.exec(text.slice(0, TEXT_MAX))?.[2]

const uname =
  /^(Linux|FreeBSD|OpenBSD|NetBSD|SunOS|AIX|Darwin|HP-UX|IRIX64?|OSF1|VMkernel) (\S{1,255}) (?=\S*\d)/
