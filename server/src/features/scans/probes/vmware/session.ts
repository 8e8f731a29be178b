import { textAt, elements, attribute, type XmlElement } from '#platform/formats/xml-tree.ts'
import type { Access, VSphere } from '../credential-access.ts'
import { hostCheckFor } from '../host-key-check.ts'
import { ProbeFailure, type ProbeOptions } from '../probe.ts'
import { openHttps, type HttpsLimits } from '../tls/https-client.ts'
import { endpointText } from '../tls/pinned-certificate.ts'
import { escaped, Fault, openSoap, type Ref, type Soap } from './soap.ts'
import { noTags, openTags, type Tags } from './vcenter-tags.ts'

/** A session with a vCenter or ESXi host, and the root objects of its service content. */
export interface Service {
  readonly soap: Soap
  /** `false`: one ESXi host on its own. */
  readonly isVCenter: boolean
  /** Of the vCenter or host, as it names itself: `VMware vCenter Server 8.0.2 build-22617221`. */
  readonly fullName: string
  /** The vCenter's own UUID. */
  readonly instanceUuid: string | undefined
  readonly rootFolder: Ref
  readonly propertyCollector: Ref
  readonly viewManager: Ref
  readonly tags: Tags
  readonly close: () => Promise<void>
}

export interface VSphereTarget {
  readonly host: string
  readonly address: string
  readonly access: Access
  readonly signal: AbortSignal
  readonly limits: HttpsLimits
  readonly onRaw: ProbeOptions['onRaw'] | undefined
}

const PORT = 443
const GOODBYE_MS = 2_000

/** Signs in with the first credential that the server accepts. */
export async function signIn(target: VSphereTarget): Promise<Service> {
  const { access, address, host } = target
  const credentials = (await access.credentialsFor(address, ['vsphere'])).filter(
    (it) => it.kind === 'vsphere',
  )
  const refused: string[] = []
  let unused = credentials
  try {
    for (const credential of credentials) {
      unused = unused.slice(1)
      const service = await signInWith(target, credential)
      if (service) return service
      refused.push(`"${credential.name}"`)
    }
  } finally {
    // releases their locks, which other scans may be waiting for
    for (const credential of unused) await access.recordOutcome(credential, address, 'unanswered')
  }
  if (refused.length > 0)
    throw new ProbeFailure(
      `vSphere on ${host} refused ${refused.join(' and ')}; check user name (for a vCenter with its domain, such as scan@vsphere.local) and password of the credential`,
    )
  throw new ProbeFailure(
    `no vSphere credential may be shown to ${host === address ? host : `${host} (${address})`}; add one that covers this address, or wait if it was locked out`,
  )
}

/** Undefined when the server refuses it. */
async function signInWith(target: VSphereTarget, credential: VSphere): Promise<Service | undefined> {
  const { access, address } = target
  const peer = { address, host: target.host, port: credential.port ?? PORT }
  const https = openHttps(peer, { ...target, access: hostCheckFor(access, credential) }, target.limits)
  const soap = openSoap(https, (part, text) => target.onRaw?.({ address, part, text }))
  try {
    const content = await contentOf(soap)
    const isIn = await login(soap, content.sessionManager, credential)
    await access.recordOutcome(credential, address, isIn ? 'accepted' : 'refused')
    if (isIn) return await enteredBy(soap, content, credential)
    await https.close()
    return undefined
  } catch (error) {
    await https.close()
    if (!target.signal.aborted) await access.recordOutcome(credential, address, 'unanswered')
    throw error
  }
}

async function enteredBy(soap: Soap, content: Content, credential: VSphere): Promise<Service> {
  const tags = content.isVCenter ? await openTags(soap.https, credential) : noTags
  return {
    ...content,
    soap,
    tags,
    async close() {
      if (!soap.https.isOver()) await tags.close()
      await signOut(soap, content.sessionManager)
    },
  }
}

async function login(soap: Soap, sessionManager: Ref, { username, password }: VSphere): Promise<boolean> {
  try {
    const who = `<userName>${escaped(username)}</userName><password>${escaped(password)}</password>`
    await soap.call(sessionManager, 'Login', who)
    return true
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (refusals.has(error.kind)) return false
    throw new ProbeFailure(
      `vSphere on ${endpointText(soap.https.peer)} let nobody in: ${error.kind}${error.message && ` (${error.message})`}`,
    )
  }
}

const refusals: ReadonlySet<string> = new Set(['InvalidLogin', 'NoPermission', 'PasswordExpired'])

/** The session ends with the scan, also with one that was cancelled: a server holds only so many. */
async function signOut(soap: Soap, sessionManager: Ref): Promise<void> {
  await soap.call(sessionManager, 'Logout', '', AbortSignal.timeout(GOODBYE_MS)).catch(() => undefined)
  await soap.https.close()
}

type Content = Omit<Service, 'soap' | 'tags' | 'close'> & { readonly sessionManager: Ref }

async function contentOf(soap: Soap): Promise<Content> {
  const where = endpointText(soap.https.peer)
  const response = await soap
    .call({ type: 'ServiceInstance', value: 'ServiceInstance' }, 'RetrieveServiceContent')
    .catch((error: unknown) => {
      if (error instanceof Fault)
        throw new ProbeFailure(`vSphere on ${where} does not say what it is: ${error.kind}`)
      throw error
    })
  const content = elements(response, 'returnval')[0] ?? {}
  const object = (name: string): Ref => {
    const found = refAt(content, name)
    if (!found) throw new ProbeFailure(`vSphere on ${where} names no ${name}; it cannot be read`)
    return found
  }
  if (isNewEnough(textAt(content, 'about', 'apiVersion'))) soap.speak(NEWER_VERSION)
  return {
    isVCenter: textAt(content, 'about', 'apiType') === 'VirtualCenter',
    fullName: textAt(content, 'about', 'fullName') ?? 'vSphere',
    instanceUuid: textAt(content, 'about', 'instanceUuid'),
    rootFolder: object('rootFolder'),
    propertyCollector: object('propertyCollector'),
    viewManager: object('viewManager'),
    sessionManager: object('sessionManager'),
  }
}

/** The first that tells a host's serial number by itself. */
const NEWER_VERSION = '6.7'

function isNewEnough(version = ''): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 6 || (major === 6 && minor >= 7)
}

export function refAt(element: XmlElement, ...path: readonly string[]): Ref | undefined {
  const found = elements(element, ...path)[0]
  return found && refOf(found)
}

export function refOf(element: XmlElement): Ref | undefined {
  const [type, value] = [attribute(element, 'type'), element['#text']]
  return type !== undefined && typeof value === 'string' && value !== '' ? { type, value } : undefined
}
