import { elements, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import { ProbeFailure } from '../probe.ts'
import { Interrupted } from '../tls/https-client.ts'
import { endpointText } from '../tls/pinned-certificate.ts'
import { refAt, refOf, type Service } from './session.ts'
import { escaped, Fault, reference, type Ref } from './soap.ts'

export interface Wanted {
  readonly type: string
  /** Paths of properties, such as `config.uuid`; one that the server does not know is left out. */
  readonly paths: readonly string[]
}

/** An object with those of the properties that it has and that the account may read. */
export interface Found extends Ref {
  readonly properties: ReadonlyMap<string, XmlElement>
  /** Paths that the account may not read. */
  readonly hidden: readonly string[]
}

export interface CollectLimits {
  readonly pageSize: number
  /** A server that has more objects of one type is not read further. */
  readonly objectsMax: number
}

const TRIES_MAX = 3
const IDLE_PAGES_MAX = 3

/**
 * Every object of a type in the inventory, page by page, each once. A page that breaks is asked for again; where the
 * server has forgotten the place, the reading begins anew and passes over what was given already.
 */
export async function* collect(
  service: Service,
  wanted: Wanted,
  limits: CollectLimits,
): AsyncGenerator<readonly Found[]> {
  const where = endpointText(service.soap.https.peer)
  const given = new Set<string>()
  const pages = openPages(service, { ...wanted, view: await viewOf(service, wanted.type) }, limits)
  for (let idle = 0; ;) {
    const page = await pages.next()
    const fresh = page.found.filter(({ value }) => !given.has(value))
    for (const { value } of fresh) given.add(value)
    if (fresh.length > 0) yield fresh
    if (page.isLast) return
    idle = fresh.length > 0 || page.isRestart ? 0 : idle + 1
    if (idle >= IDLE_PAGES_MAX)
      throw new ProbeFailure(
        `vSphere on ${where} goes on sending pages without anything new in them; given up`,
      )
    if (given.size >= limits.objectsMax)
      throw new ProbeFailure(
        `vSphere on ${where} has more than ${limits.objectsMax} objects of type ${wanted.type}`,
      )
  }
}

interface Page {
  readonly found: readonly Found[]
  readonly isLast: boolean
  /** The first of a reading that began anew. */
  readonly isRestart: boolean
}

interface Query extends Wanted {
  readonly view: Ref
}

function openPages(
  service: Service,
  query: Query,
  { pageSize }: CollectLimits,
): { next: () => Promise<Page> } {
  let paths = query.paths
  let token: string | undefined
  let restarts = 0
  const ask = (): Promise<XmlElement> =>
    token === undefined
      ? service.soap.call(
          service.propertyCollector,
          'RetrievePropertiesEx',
          `${specification({ ...query, paths })}<options><maxObjects>${pageSize}</maxObjects></options>`,
        )
      : service.soap.call(
          service.propertyCollector,
          'ContinueRetrievePropertiesEx',
          `<token>${escaped(token)}</token>`,
        )
  const next = async (isRestart: boolean): Promise<Page> => {
    try {
      const result = elements(await patiently(ask), 'returnval')[0]
      token = result && textAt(result, 'token')
      return { found: result ? foundIn(result) : [], isLast: token === undefined, isRestart }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const known = paths.filter((path) => path !== error.subject)
      if (error.kind === 'InvalidProperty' && known.length < paths.length) paths = known
      else if (token === undefined || ++restarts >= TRIES_MAX) throw unreadable(service, query.type, error)
      token = undefined
      return next(true)
    }
  }
  return { next: () => next(false) }
}

/** Asks again when the connection breaks; the answers change nothing on the server. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Interrupted) || tries >= TRIES_MAX) throw error
    }
  }
}

async function viewOf(service: Service, type: string): Promise<Ref> {
  const { soap, viewManager, rootFolder } = service
  const body = `${reference('container', rootFolder)}<type>${escaped(type)}</type><recursive>true</recursive>`
  try {
    const view = refAt(await soap.call(viewManager, 'CreateContainerView', body), 'returnval')
    if (view) return view
  } catch (error) {
    throw error instanceof Fault ? unreadable(service, type, error) : error
  }
  throw new ProbeFailure(`vSphere on ${endpointText(soap.https.peer)} made no view of its ${type} objects`)
}

function unreadable({ soap }: Service, type: string, { kind, message }: Fault): ProbeFailure {
  const hint =
    kind === 'NoPermission'
      ? 'give the account the role Read-only on the whole inventory, with propagation to children'
      : kind === 'NotAuthenticated'
        ? 'its session was ended on the server'
        : message
  return new ProbeFailure(
    `vSphere on ${endpointText(soap.https.peer)} does not show its ${type} objects: ${kind}${hint && ` (${hint})`}`,
  )
}

function specification({ type, paths, view }: Query): string {
  const pathSet = paths.map((path) => `<pathSet>${escaped(path)}</pathSet>`).join('')
  return (
    `<specSet><propSet><type>${escaped(type)}</type><all>false</all>${pathSet}</propSet>` +
    `<objectSet>${reference('obj', view)}<skip>true</skip><selectSet xsi:type="TraversalSpec">` +
    `<name>all</name><type>${escaped(view.type)}</type><path>view</path><skip>false</skip></selectSet></objectSet></specSet>`
  )
}

function foundIn(result: XmlElement): Found[] {
  return elements(result, 'objects').flatMap((object): Found[] => {
    const ref = elements(object, 'obj').map(refOf)[0]
    if (!ref) return []
    const properties = new Map<string, XmlElement>()
    for (const property of elements(object, 'propSet')) {
      const [name, value] = [textAt(property, 'name'), elements(property, 'val')[0]]
      if (name !== undefined && value) properties.set(name, value)
    }
    const hidden = elements(object, 'missingSet').flatMap((missing) => textAt(missing, 'path') ?? [])
    return [{ ...ref, properties, hidden }]
  })
}
