import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'
import { Agent, request } from 'undici'
import { onTestFinished, vi } from 'vitest'

export const CLIENT = { clientId: 'rollcall', clientSecret: 'a secret of the provider' }

/** Whom the provider knows, by the name that is typed at its sign-in page. */
export type People = Record<
  string,
  { readonly email?: string; readonly email_verified?: boolean; readonly name?: string }
>

export interface IdentityProvider {
  readonly issuer: string
  /** What a browser does from where it is sent, until it is sent back: signs in as `login`. Answers the address. */
  readonly visit: (location: string, login: string) => Promise<string>
}

/** A real OpenID Connect provider on loopback, gone with the test. `redirectUri` is where it sends people back. */
export async function identityProvider(
  redirectUri: string,
  people: People,
  options: Configuration = {},
): Promise<IdentityProvider> {
  // it says at length that this is no set-up for production
  const silenced = (['info', 'warn'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  )
  let answer: RequestListener = () => {}
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    cookies: { keys: ['for tests'] },
    ...options,
  })
  answer = provider.callback()
  onTestFinished(() => {
    for (const spy of silenced) spy.mockRestore()
    server.closeAllConnections()
    server.close()
  })
  return { issuer, visit: (location, login) => visit(issuer, location, login, redirectUri) }
}

const PAGES_MAX = 12

async function visit(issuer: string, from: string, login: string, home: string): Promise<string> {
  const cookies = new Map<string, string>()
  let [url, form]: [string, string | undefined] = [from, undefined]
  for (let page = 0; page < PAGES_MAX; page += 1) {
    if (url.startsWith(home)) return url
    const { location, text } = await open(url, form, cookies)
    const action = /action="([^"]+)"/.exec(text)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? ''
    if (location === undefined && action === undefined)
      throw new Error(`the provider said: ${text.slice(0, 2_000)}`)
    form =
      location === undefined ? new URLSearchParams({ prompt, login, password: 'any' }).toString() : undefined
    url = new URL(location ?? action ?? '', issuer).href
  }
  throw new Error('the provider never came to an end')
}

async function open(
  url: string,
  form: string | undefined,
  cookies: Map<string, string>,
): Promise<{ location: string | undefined; text: string }> {
  const dispatcher = new Agent()
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await request(url, {
    dispatcher,
    method: form === undefined ? 'GET' : 'POST',
    headers: { cookie, ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }) },
    body: form ?? null,
  })
  for (const text of [response.headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    cookies.set(name, value)
  }
  const text = await response.body.text()
  await dispatcher.close()
  return { location: response.headers['location'] as string | undefined, text }
}
