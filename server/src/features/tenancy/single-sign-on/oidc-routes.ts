import { Type, type Static } from 'typebox'
import { Refusal } from '#platform/errors.ts'
import {
  sessionRoute,
  type Cookie,
  type SessionReply,
  type SessionRoute,
  type Visit,
} from '#platform/http/session-routes.ts'
import { endSession } from '../sessions/sessions.ts'
import { finishSignOn } from './oidc-callback.ts'
import { startSignOn } from './oidc-start.ts'

const COOKIE = 'rollcall_sign_on'
const COOKIE_PATH = '/session/sign-on'
const COOKIE_SECONDS = 600

const Start = Type.Object(
  {
    organisation: Type.String({ maxLength: 100 }),
    returnTo: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  { additionalProperties: false },
)

/** Start and callback of single sign-on (OpenID Connect). */
export const signOnRoutes: readonly SessionRoute[] = [
  sessionRoute('POST', '/sign-on', Start, async (visit, body: Static<typeof Start>) => {
    const { organisation, returnTo = '/' } = body
    const { location, cookie } = await startSignOn(
      visit.system,
      { organisation, returnTo },
      `${visit.site}${COOKIE_PATH}/callback`,
      visit.address,
    )
    return { json: { location }, cookies: [stateCookie(cookie)] }
  }),
  { method: 'GET', path: '/sign-on/callback', isLink: true, handle: callback },
]

const stateCookie = (value: string): Cookie => ({
  name: COOKIE,
  value,
  path: COOKIE_PATH,
  maxAgeSeconds: COOKIE_SECONDS,
})

/** The browser navigates here, so errors redirect to the sign-in page with an error code. */
async function callback(visit: Visit): Promise<SessionReply> {
  const cookies = [stateCookie('')]
  try {
    const { system, url } = visit
    const { token, returnTo } = await finishSignOn(system, { url, cookie: visit.cookie(COOKIE) }, visit)
    await endSession(system, visit.token)
    return { token, location: returnTo, cookies }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { location: `/sign-in?problem=${error.code}`, cookies }
  }
}
