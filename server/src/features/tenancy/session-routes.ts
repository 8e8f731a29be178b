import { Type, type Static } from 'typebox'
import { LANGUAGE_COOKIE } from '#platform/http/pages/page-language.ts'
import {
  sessionRoute,
  type SessionReply,
  type SessionRoute,
  type Visit,
} from '#platform/http/session-routes.ts'
import { DEVICE_COOKIE, deviceCookie } from './sign-in/known-devices.ts'
import { acceptAsNewUser, acceptInvitation, readInvitation } from './members/invitations.ts'
import { changePassword } from './accounts/password-change.ts'
import { DATE_FORMATS, LANGUAGES, NUMBER_FORMATS } from './accounts/account.ts'
import { languageCookie, setPreferences } from './accounts/preferences.ts'
import { resetPassword } from './accounts/password-reset.ts'
import { PASSWORD_LENGTH_MAX } from './accounts/password-policy.ts'
import {
  endSession,
  findSession,
  listSessions,
  listMemberships,
  revokeSession,
  signedIn,
  signOut,
  signOutEverywhere,
  enterTenant,
  renewSession,
} from './sessions/sessions.ts'
import type { ClientInfo, SignedIn } from './sessions/session.ts'
import {
  confirmTotp,
  enrolTotp,
  recoveryCodesLeft,
  removeTotp,
  renewRecoveryCodes,
} from './second-factor/second-factor.ts'
import { createOwnTenant } from './tenants/own-tenants.ts'
import { passSecondFactor, signIn, type SignInResult } from './sign-in/sign-in.ts'
import { offeredSignOn } from './single-sign-on/oidc-settings.ts'
import { signOnRoutes } from './single-sign-on/oidc-routes.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const exactly = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const Password = text(PASSWORD_LENGTH_MAX)
const Code = text(100)
const Token = text(200)
const SignIn = exactly({ email: text(500), password: Password })
const SecondFactor = exactly({ code: Code })
const Change = exactly({ current: Password, next: Password })
const Reset = exactly({ token: Token, password: Password })
const oneOf = <const T extends string>(values: readonly T[]) =>
  Type.Union([Type.Null(), ...values.map((it) => Type.Literal(it))])
const WantedPreferences = exactly({
  language: oneOf(LANGUAGES),
  timeZone: Type.Union([Type.Null(), text(100)]),
  dateFormat: oneOf(DATE_FORMATS),
  numberFormat: oneOf(NUMBER_FORMATS),
})
const Reassurance = exactly({ password: Password })
const Removal = exactly({ password: Password, code: Code })
const Invited = exactly({ token: Token })
const NewTenant = exactly({ slug: text(63), name: text(200) })
const Newcomer = exactly({ token: Token, name: text(200), password: Password })

/** HTTP routes below /session for browsers: sign-in, account, sessions, invitations, single sign-on. */
export const sessionRoutes: readonly SessionRoute[] = [
  sessionRoute('GET', '', undefined, currentSession),
  sessionRoute('POST', '', SignIn, async (visit, body: Static<typeof SignIn>) =>
    opened(visit, await signIn(visit.system, { ...body, before: visit.token }, from(visit))),
  ),
  sessionRoute('POST', '/second-factor', SecondFactor, async (visit, { code }: Static<typeof SecondFactor>) =>
    opened(visit, await passSecondFactor(visit.system, { token: visit.token, code }, from(visit))),
  ),
  sessionRoute('DELETE', '', undefined, async ({ system, token, address }) => {
    await signOut(system, token, address)
    return { token: null }
  }),
  sessionRoute('DELETE', '/all', undefined, async (visit) => {
    await signOutEverywhere(visit.system, await person(visit))
    return { token: null }
  }),
  sessionRoute('GET', '/all', undefined, async (visit) => ({
    json: { sessions: await listSessions(visit.system, await person(visit)) },
  })),
  sessionRoute('DELETE', '/all/:id', undefined, async (visit) => {
    await revokeSession(visit.system, await person(visit), visit.params['id'] ?? '')
    return {}
  }),
  sessionRoute('POST', '/password', Change, async (visit, body: Static<typeof Change>) => {
    const { token, device } = await changePassword(visit.system, await person(visit), body)
    return { token, cookies: [deviceCookie(device)] }
  }),
  sessionRoute(
    'POST',
    '/preferences',
    WantedPreferences,
    async (visit, wanted: Static<typeof WantedPreferences>) => {
      await setPreferences(visit.system, await person(visit), wanted)
      return { cookies: [languageCookie(wanted.language)] }
    },
  ),
  sessionRoute('POST', '/password-reset', Reset, async ({ system, address }, body: Static<typeof Reset>) => {
    await resetPassword(system, body, address)
    return { token: null }
  }),
  sessionRoute('POST', '/totp', Reassurance, async (visit, { password }: Static<typeof Reassurance>) => ({
    json: await enrolTotp(visit.system, await person(visit), password),
  })),
  sessionRoute(
    'POST',
    '/totp/confirm',
    SecondFactor,
    async (visit, { code }: Static<typeof SecondFactor>) => {
      const { token, recoveryCodes } = await confirmTotp(visit.system, await person(visit), code)
      return { token, json: { recoveryCodes } }
    },
  ),
  sessionRoute(
    'POST',
    '/totp/codes',
    Reassurance,
    async (visit, { password }: Static<typeof Reassurance>) => {
      const { token, recoveryCodes } = await renewRecoveryCodes(visit.system, await person(visit), password)
      return { token, json: { recoveryCodes } }
    },
  ),
  sessionRoute('POST', '/totp/remove', Removal, async (visit, body: Static<typeof Removal>) => ({
    token: await removeTotp(visit.system, await person(visit), body),
  })),
  sessionRoute('POST', '/invitation', Invited, async ({ system }, { token }: Static<typeof Invited>) => ({
    json: await readInvitation(system, token),
  })),
  sessionRoute('POST', '/invitation/accept', Invited, async (visit, { token }: Static<typeof Invited>) => {
    const who = await person(visit)
    await enterTenant(visit.system, who, await acceptInvitation(visit.system, who, token))
    return { token: await renewSession(visit.system, who.sessionId) }
  }),
  sessionRoute('POST', '/invitation/join', Newcomer, async (visit, body: Static<typeof Newcomer>) => {
    const { token, device } = await acceptAsNewUser(visit.system, body, from(visit))
    await endSession(visit.system, visit.token)
    return { token, cookies: [deviceCookie(device)] }
  }),
  sessionRoute('POST', '/tenants', NewTenant, async (visit, body: Static<typeof NewTenant>) => {
    const { id, slug, name } = await createOwnTenant(visit.system, await person(visit), body)
    return { json: { id, slug, name } }
  }),
  ...signOnRoutes,
]

const person = ({ system, token, address }: Visit, slug?: string): Promise<SignedIn> =>
  signedIn(system, token, address, slug)

const from = ({ address, userAgent, cookie }: Visit): ClientInfo => ({
  address,
  userAgent,
  device: cookie(DEVICE_COOKIE),
})

/** Replies with the body that `GET /session` returns for the new cookie, which saves the app a request. */
async function opened(visit: Visit, { token, device }: SignInResult): Promise<SessionReply> {
  const cookies = device === undefined ? [] : [deviceCookie(device)]
  const answer = await currentSession({ ...visit, token })
  return { ...answer, token, cookies: [...(answer.cookies ?? []), ...cookies] }
}

/**
 * The session of the request; without one, the state is `signed_out` and no error. `?tenant=` is the slug in the
 * page's address: the tenant in the reply is null if the person is not a member of it.
 */
async function currentSession(visit: Visit): Promise<SessionReply> {
  const session = await findSession(visit.system, visit.token)
  if (!session) return { json: { state: 'signed_out', signOn: (await offeredSignOn(visit.system)) ?? null } }
  if (session.awaitsCode) return { json: { state: 'second_factor' } }
  const named = visit.url.searchParams.get('tenant')
  const before = await person(visit, named ?? undefined)
  const tenants = await listMemberships(visit.system, before)
  const who = named === null && !before.tenant ? await person(visit, tenants[0]?.slug) : before
  const { user, tenant, role, permissions, limitedTo, expiresAt, boundTo } = who
  if (tenant) await enterTenant(visit.system, who, tenant.id)
  const codesLeft = await recoveryCodesLeft(visit.system, who)
  const account = { ...user, recoveryCodesLeft: codesLeft, isSignedOn: boundTo !== null }
  const { language } = user.preferences
  const isCookieStale = (visit.cookie(LANGUAGE_COOKIE) || null) !== language
  return {
    ...(isCookieStale && { cookies: [languageCookie(language)] }),
    json: { state: 'signed_in', user: account, tenant, tenants, role, permissions, limitedTo, expiresAt },
  }
}
