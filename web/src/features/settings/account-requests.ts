import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import type { Preferences } from '#api/session.ts'

/** A session of the person. */
export interface SessionInfo {
  readonly id: string
  readonly isCurrent: boolean
  readonly address: string
  readonly userAgent: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
}

/** `uri` for a QR code or link, `secret` for typing. */
export interface Enrolment {
  readonly secret: string
  readonly uri: string
}

export const sessionsQuery = queryOptions({
  queryKey: ['session', 'all'],
  queryFn: async () =>
    ((await call('GET', '/session/all')) as { readonly sessions: readonly SessionInfo[] }).sessions,
})

export const endSession = (id: string): Promise<unknown> =>
  call('DELETE', `/session/all/${encodeURIComponent(id)}`)

export const changePassword = (current: string, next: string): Promise<unknown> =>
  post('/session/password', { current, next })

export const savePreferences = (preferences: Preferences): Promise<unknown> =>
  post('/session/preferences', preferences)

/** Starts the enrolment; the second factor is in use after the first code is confirmed. */
export const enrolTotp = (password: string): Promise<Enrolment> =>
  post('/session/totp', { password }) as Promise<Enrolment>

export const confirmTotp = (code: string): Promise<readonly string[]> =>
  codesOf(post('/session/totp/confirm', { code }))

export const renewCodes = (password: string): Promise<readonly string[]> =>
  codesOf(post('/session/totp/codes', { password }))

export const removeTotp = (password: string, code: string): Promise<unknown> =>
  post('/session/totp/remove', { password, code })

const codesOf = async (answer: Promise<unknown>): Promise<readonly string[]> =>
  ((await answer) as { readonly recoveryCodes: readonly string[] }).recoveryCodes

const post = (path: string, body: object): Promise<unknown> =>
  call('POST', path, { body: JSON.stringify(body) })
