import type { Framework } from '#features/compliance/compliance.ts'
import { namedUuid } from '#platform/uuid.ts'
import { OSCAL_VERSION, oneLine, oscalId, type Property } from './oscal-text.ts'

/** The controls of a framework as an OSCAL catalogue, and a profile that selects them all. */

/** The namespace of the UUIDs of catalogues, profiles and their resources. */
const DOCUMENTS = '7d6e5c34-9d4f-4f0b-8d8c-5d8e4b2a9c11'

export interface Resource {
  readonly uuid: string
  readonly title: string
  readonly base64: { readonly filename: string; readonly 'media-type': string; readonly value: string }
}

interface Node {
  readonly id: string
  readonly title: string
  readonly props?: readonly Property[]
  readonly groups?: readonly Node[]
  readonly controls?: readonly Node[]
}

/** The profile as a part of another document, with the catalogue in it, so that nothing has to be fetched. */
export function profileResource(framework: Framework, at: string): Resource {
  const catalog = resourceOf(framework, 'catalog', catalogOf(framework, at))
  const profile = {
    profile: {
      uuid: uuidOf(framework, 'profile'),
      metadata: metadataOf(framework, at),
      imports: [{ href: `#${catalog.uuid}`, 'include-all': {} }],
      merge: { 'as-is': true },
      'back-matter': { resources: [catalog] },
    },
  }
  return resourceOf(framework, 'profile', profile)
}

/** Titles are those that come with the product: the framework's own where its licence allows that. */
function catalogOf(framework: Framework, at: string) {
  const top = childrenOf(framework, '')
  return {
    catalog: {
      uuid: uuidOf(framework, 'catalog'),
      metadata: { ...metadataOf(framework, at), remarks: framework.licence },
      ...top,
    },
  }
}

const metadataOf = ({ title, version }: Framework, at: string) => ({
  title: `${title} ${version}`,
  'last-modified': at,
  version,
  'oscal-version': OSCAL_VERSION,
})

function childrenOf(framework: Framework, parentId: string): Pick<Node, 'groups' | 'controls'> {
  const children = framework.controls.filter((it) => it.parentId === parentId)
  const [groups, controls] = [children.filter((it) => it.isHeading), children.filter((it) => !it.isHeading)]
  const nodeOf = ({ id, title }: (typeof children)[number]): Node => ({
    id: oscalId(framework.slug, id),
    title: oneLine(title),
    props: [{ name: 'label', value: id }],
    ...childrenOf(framework, id),
  })
  return {
    ...(groups.length > 0 && { groups: groups.map(nodeOf) }),
    ...(controls.length > 0 && { controls: controls.map(nodeOf) }),
  }
}

const uuidOf = ({ slug, version }: Framework, kind: string): string =>
  namedUuid(DOCUMENTS, `${kind} ${slug} ${version}`)

const resourceOf = (framework: Framework, kind: string, document: unknown): Resource => ({
  uuid: uuidOf(framework, `${kind} resource`),
  title: `${framework.title} ${framework.version}: ${kind}`,
  base64: {
    filename: `${framework.slug}-${kind}.json`,
    'media-type': 'application/json',
    value: Buffer.from(JSON.stringify(document)).toString('base64'),
  },
})
