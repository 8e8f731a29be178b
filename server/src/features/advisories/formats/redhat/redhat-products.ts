import { FeedError } from '../../feeds/feed-error.ts'
import { allFields, fieldsOf, textOf, type Fields } from '../json-fields.ts'
import { redHatStream } from '../osv/osv-ecosystems.ts'
import { parsePurl, type Purl } from '../purl.ts'

/** One package of one release, resolved from a product id of a CSAF document. */
export interface Component {
  /** `Red Hat:9`. */
  readonly ecosystem: string
  readonly package: string
  readonly names: 'source' | 'binary'
  /** With epoch; undefined: every version. */
  readonly version?: string
  /** `nodejs:18` */
  readonly module?: string
}

export interface ProductTree {
  /** Undefined for an id that is not an RPM package of a known release. */
  readonly component: (productId: string) => Component | undefined
}

interface Helper {
  readonly cpe: string
  readonly purl: Purl | undefined
}
interface Relation {
  readonly component: string
  readonly platform: string
}

const BRANCHES_DEPTH_MAX = 20
const RELATIONS_DEPTH_MAX = 4

/**
 * The product tree of a CSAF document (2.0, 3.2.2): branches define products, relationships combine them with
 * releases.
 */
export function productTree(tree: unknown): ProductTree {
  const products = new Map<string, Helper>()
  const relations = new Map<string, Relation>()
  readBranches(fieldsOf(tree), products, 0)
  for (const it of allFields(fieldsOf(tree)['relationships'])) {
    const id = textOf(fieldsOf(it['full_product_name'])['product_id'])
    relations.set(id, {
      component: textOf(it['product_reference']),
      platform: textOf(it['relates_to_product_reference']),
    })
  }
  return { component: (id) => componentOf(id, products, relations) }
}

function readBranches(from: Fields, products: Map<string, Helper>, depth: number): void {
  if (depth > BRANCHES_DEPTH_MAX) throw new FeedError('the product tree is too deep')
  for (const it of [...allFields(from['full_product_names']), ...productsIn(from)]) {
    const helper = fieldsOf(it['product_identification_helper'])
    products.set(textOf(it['product_id']), {
      cpe: textOf(helper['cpe']),
      purl: parsePurl(textOf(helper['purl'])),
    })
  }
  for (const it of allFields(from['branches'])) readBranches(it, products, depth + 1)
}

const productsIn = (branch: Fields): readonly Fields[] => allFields([branch['product']])

/** A package of a module refers to the module, and the module to the release. */
function componentOf(
  id: string,
  products: ReadonlyMap<string, Helper>,
  relations: ReadonlyMap<string, Relation>,
): Component | undefined {
  const relation = relations.get(id)
  const purl = relation && products.get(relation.component)?.purl
  if (!relation || !purl || purl.type !== 'rpm') return undefined
  let module = moduleOf(purl.qualifiers.get('rpmmod') ?? '')
  let platform = relation.platform
  for (let depth = 0; depth < RELATIONS_DEPTH_MAX; depth++) {
    const next = relations.get(platform)
    if (!next) break
    const outer = products.get(next.component)?.purl
    if (outer?.type === 'rpmmod') module ??= moduleOf(`${outer.name}:${outer.version}`)
    platform = next.platform
  }
  const ecosystem = ecosystemOf(products.get(platform)?.cpe ?? '')
  if (!ecosystem) return undefined
  const version = versionOf(purl)
  return {
    ecosystem,
    package: purl.name,
    names: purl.qualifiers.get('arch') === 'src' ? 'source' : 'binary',
    ...(version && { version }),
    ...(module && { module }),
  }
}

/** The stream of a module: `nodejs:18` of `nodejs:18:9020020230825081254:rhel9`. */
const moduleOf = (text: string): string | undefined => /^[^:]+:[^:]+/.exec(text)?.[0]

const versionOf = ({ version, qualifiers }: Purl): string =>
  version === '' ? '' : `${qualifiers.get('epoch') ?? '0'}:${version}`

/** `cpe:/a:redhat:enterprise_linux:9::appstream` */
export function ecosystemOf(cpe: string): string | undefined {
  const [, product] = /^cpe:\/[ao]:redhat:([^:]+:[^:]+)/.exec(cpe) ?? []
  return product === undefined ? undefined : redHatStream(product)
}
