import { fieldsOf, listOf, textOf, type Fields, type VexFormat, type VexStatement } from './vex-format.ts'

/** CSAF 2.0, any profile: reads the product status. */
export const csaf: VexFormat = {
  name: 'csaf',
  isOne: (document) => textOf(fieldsOf(document['document'])['csaf_version']) !== '',
  read(document) {
    const { tracking, publisher } = fieldsOf(document['document'])
    const purls = purlsIn(fieldsOf(document['product_tree']))
    return {
      id: [textOf(fieldsOf(publisher)['namespace']), textOf(fieldsOf(tracking)['id'])].join(' ').trim(),
      statements: listOf(document['vulnerabilities']).flatMap((it) => statementsIn(fieldsOf(it), purls)),
    }
  },
}

const statuses: Readonly<Record<string, VexStatement['status']>> = {
  known_not_affected: 'not_affected',
  fixed: 'fixed',
  first_fixed: 'fixed',
  known_affected: 'affected',
  under_investigation: 'under_investigation',
}

function statementsIn(vulnerability: Fields, purls: ReadonlyMap<string, string>): VexStatement[] {
  const cveId = textOf(vulnerability['cve'])
  if (cveId === '') return []
  const labels = new Map<string, string>()
  for (const flag of listOf(vulnerability['flags']).map(fieldsOf))
    for (const id of listOf(flag['product_ids'])) labels.set(textOf(id), textOf(flag['label']))
  return Object.entries(fieldsOf(vulnerability['product_status'])).flatMap(([name, ids]) => {
    const status = statuses[name]
    return listOf(ids).flatMap((id): VexStatement[] => {
      const product = purls.get(textOf(id))
      if (!status || product === undefined) return []
      return [{ cveId, status, product, part: '', reason: labels.get(textOf(id)) || status }]
    })
  })
}

const DEPTH_MAX = 32

/** Package URLs by product id; a component of a product has the URL of the component. */
function purlsIn(tree: Fields): Map<string, string> {
  const found = new Map<string, string>()
  const note = (product: unknown): void => {
    const { product_id: id, product_identification_helper: helper } = fieldsOf(product)
    const purl = textOf(fieldsOf(helper)['purl'])
    if (purl !== '') found.set(textOf(id), purl)
  }
  const walk = (branches: unknown, depth: number): void => {
    if (depth > DEPTH_MAX) return
    for (const branch of listOf(branches).map(fieldsOf)) {
      note(branch['product'])
      walk(branch['branches'], depth + 1)
    }
  }
  listOf(tree['full_product_names']).forEach(note)
  walk(tree['branches'], 0)
  for (const relationship of listOf(tree['relationships']).map(fieldsOf)) {
    const purl = found.get(textOf(relationship['product_reference']))
    const { product_id: id } = fieldsOf(relationship['full_product_name'])
    if (purl !== undefined && !found.has(textOf(id))) found.set(textOf(id), purl)
  }
  return found
}
