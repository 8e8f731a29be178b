import { fieldsOf, listOf, textOf, type Fields, type VexFormat, type VexStatement } from './vex-format.ts'

/** OpenVEX 0.2.0 and earlier versions, in which products are plain strings. */
export const openVex: VexFormat = {
  name: 'openvex',
  isOne: (document) => textOf(document['@context']).startsWith('https://openvex.dev/ns'),
  read: (document) => ({
    id: textOf(document['@id']),
    statements: listOf(document['statements']).flatMap((it) => statementsIn(fieldsOf(it))),
  }),
}

const statuses = ['not_affected', 'fixed', 'affected', 'under_investigation'] as const

function statementsIn(statement: Fields): VexStatement[] {
  const status = statuses.find((it) => it === statement['status'])
  const cveId = nameOf(statement['vulnerability'])
  if (!status || cveId === '') return []
  const reason = ['justification', 'impact_statement', 'action_statement', 'status_notes']
    .map((field) => textOf(statement[field]))
    .filter((it) => it !== '')
    .join(': ')
  return listOf(statement['products']).flatMap((product) => {
    const parts = listOf(fieldsOf(product)['subcomponents']).map(idOf)
    return (parts.length > 0 ? parts : ['']).map((part) => ({
      cveId,
      status,
      product: idOf(product),
      part,
      reason: reason || status,
    }))
  })
}

function nameOf(vulnerability: unknown): string {
  if (typeof vulnerability === 'string') return vulnerability
  const { name, '@id': id } = fieldsOf(vulnerability)
  return textOf(name) || (textOf(id).split('/').at(-1) ?? '')
}

function idOf(product: unknown): string {
  if (typeof product === 'string') return product
  const fields = fieldsOf(product)
  return textOf(fieldsOf(fields['identifiers'])['purl']) || textOf(fields['@id'])
}
