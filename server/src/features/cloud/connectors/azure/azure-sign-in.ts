import { under } from '../base-address.ts'
import type { BearerToken } from '../bearer-token.ts'
import { callCloud, jsonOf, type CloudApi } from '../cloud-request.ts'
import type { Field, Session, SignIn, Values } from '../connector.ts'
import { hostIdentity, hostMetadataJson, tokenOfContainer } from '../host-metadata.ts'
import { textAt, type JsonObject } from '../read-json.ts'

const LOGIN = 'https://login.microsoftonline.com'
/** RFC 7523 §2.2 */
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const application: readonly Field[] = [
  { name: 'directory', label: 'Directory (tenant) ID', isRequired: true },
  { name: 'clientId', label: 'Application (client) ID', isRequired: true },
]

export const azureSignIns: readonly SignIn[] = [
  {
    name: 'managed_identity',
    label: 'Managed identity of the machine or container of this server',
    isOfHost: true,
    hides: ['loginAddress'],
    fields: [
      {
        name: 'clientId',
        label: 'Client ID of the identity',
        help: 'Only where the machine has more than one',
      },
    ],
  },
  { name: 'federated', label: 'Federated credential (no secret)', fetchesKeys: true, fields: application },
  {
    name: 'client_secret',
    label: 'Client secret',
    fields: [
      ...application,
      { name: 'clientSecret', label: 'Client secret', isSecret: true, isRequired: true },
    ],
  },
]

/** What federated credentials expect as the audience of our tokens: each cloud has its own. */
export function azureAudience({ loginAddress = LOGIN }: Values): string {
  const { hostname } = new URL(loginAddress)
  if (hostname.endsWith('.us')) return 'api://AzureADTokenExchangeUSGov'
  if (hostname.endsWith('.cn')) return 'api://AzureADTokenExchangeChina'
  return 'api://AzureADTokenExchange'
}

/** A token for the API at the base address. */
export const signInAzure = (session: Session, base: string): Promise<BearerToken> =>
  session.signIn === 'managed_identity' ? ofHost(session, base) : ofConnection(session, base)

/** Of its container where it was given an identity, else of the machine. */
async function ofHost(session: Session, base: string): Promise<BearerToken> {
  const { azureApplication: given } = hostIdentity(session).workload
  if (!given) return ofMachine(session, base)
  const { directory, clientId } = given
  return ofApplication(session, base, {
    directory,
    clientId: session.settings['clientId'] ?? clientId,
    proof: assertion(await tokenOfContainer(given.token)),
  })
}

async function ofMachine(session: Session, resource: string): Promise<BearerToken> {
  const { clientId } = session.settings
  const query = new URLSearchParams({
    'api-version': '2018-02-01',
    resource,
    ...(clientId !== undefined && { client_id: clientId }),
  })
  const path = `/metadata/identity/oauth2/token?${query.toString()}`
  return tokenIn(
    session,
    await hostMetadataJson(session, { method: 'GET', path, headers: { metadata: 'true' } }),
  )
}

async function ofConnection(session: Session, base: string): Promise<BearerToken> {
  const { directory = '', clientId = '' } = session.settings
  return ofApplication(session, base, { directory, clientId, proof: await proofOf(session) })
}

interface Application {
  readonly directory: string
  readonly clientId: string
  readonly proof: Readonly<Record<string, string>>
}

/** OAuth 2.0 client credentials. */
async function ofApplication(
  session: Session,
  base: string,
  { directory, clientId, proof }: Application,
): Promise<BearerToken> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    scope: `${base}/.default`,
    ...proof,
  })
  const answer = await callCloud(session, signInApi, {
    method: 'POST',
    url: under(
      session.settings['loginAddress'] ?? LOGIN,
      `/${encodeURIComponent(directory)}/oauth2/v2.0/token`,
    ),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    bucket: 'azure/sign-in',
    action: 'sign-in',
  })
  return tokenIn(session, jsonOf(answer) ?? {})
}

const tokenIn = (session: Session, token: JsonObject): BearerToken => ({
  value: textAt(token, 'access_token'),
  until: session.now().getTime() + Number(textAt(token, 'expires_in')) * 1_000,
})

async function proofOf(session: Session): Promise<Application['proof']> {
  const { signIn, secrets, settings } = session
  if (signIn !== 'federated') return { client_secret: secrets['clientSecret'] ?? '' }
  return assertion(await session.identityToken(azureAudience(settings)))
}

const assertion = (token: string): Application['proof'] => ({
  client_assertion_type: JWT_BEARER,
  client_assertion: token,
})

const signInApi: CloudApi = {
  authorize: async () => ({}),
  renew: () => {},
  judge(answer) {
    const body = jsonOf(answer)
    if (answer.status === 200 && textAt(body, 'access_token') !== '') return { kind: 'ok' }
    if (answer.status === 429) return { kind: 'throttled', message: 'too many sign-ins' }
    if (answer.status >= 500) return { kind: 'unavailable', message: `status ${answer.status}` }
    // the description goes on with numbers and times, a line each
    const [why = ''] = textAt(body, 'error_description').split(/\r?\n/)
    return { kind: 'sign_in', message: why || textAt(body, 'error') || `status ${answer.status}` }
  },
}
