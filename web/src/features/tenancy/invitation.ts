import { call } from '#api/client.ts'

/** An invitation as displayed before it is accepted. */
export interface Offer {
  readonly organisation: string
  readonly email: string
  readonly role: string
  /** Whether the address has an account: then the person signs in, else chooses a password. */
  readonly hasAccount: boolean
}

export const readInvitation = (token: string): Promise<Offer> =>
  post('/session/invitation', { token }) as Promise<Offer>

/** For a person who is signed in under the invited address. */
export const acceptInvitation = (token: string): Promise<unknown> =>
  post('/session/invitation/accept', { token })

/** For an address without an account: creates it and signs in. */
export const acceptAsNewUser = (token: string, name: string, password: string): Promise<unknown> =>
  post('/session/invitation/join', { token, name, password })

const post = (path: string, body: object): Promise<unknown> =>
  call('POST', path, { body: JSON.stringify(body) })
