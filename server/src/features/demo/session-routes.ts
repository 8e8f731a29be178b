import { closeOwnDemo, signedIn } from '#features/tenancy/tenancy.ts'
import { sessionRoute, type SessionRoute, type Visit } from '#platform/http/session-routes.ts'
import { openDemo } from './own-demo.ts'

/** The demo of the person who is signed in, at /session/demo. */
export const sessionRoutes: readonly SessionRoute[] = [
  sessionRoute('POST', '/demo', undefined, async (visit) => ({
    json: { slug: await openDemo(visit.system, await person(visit)) },
  })),
  sessionRoute('DELETE', '/demo', undefined, async (visit) => {
    await closeOwnDemo(visit.system, await person(visit))
    return {}
  }),
]

const person = ({ system, token, address }: Visit) => signedIn(system, token, address)
