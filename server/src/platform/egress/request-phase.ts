/**
 * How far a request got: DNS look-up, TCP connect, TLS handshake, sending, waiting for the response, reading it.
 * With redirects, the phase of the last hop.
 */
export const requestPhases = ['dns', 'connect', 'tls', 'send', 'wait', 'read'] as const
export type RequestPhase = (typeof requestPhases)[number]
