/**
 * How far a request got: finding the address, opening TCP, opening TLS, sending, waiting for an answer, reading it.
 * With redirects, that of the last hop.
 */
export const phases = ['dns', 'connect', 'tls', 'send', 'wait', 'read'] as const
export type Phase = (typeof phases)[number]
