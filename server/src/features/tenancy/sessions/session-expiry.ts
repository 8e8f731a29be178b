/** PostgreSQL intervals; the database's clock decides, so that all nodes agree. */

/** OWASP Session Management Cheat Sheet, Session Expiration: without a request for so long a session ends. */
export const IDLE_TIMEOUT = '12 hours'
/** The same section, absolute timeout: a session ends so long after the sign-in, whatever happens. */
export const SESSION_LIFETIME = '7 days'
/** Time for the code of the second factor after the password. */
export const CODE_WITHIN = '10 minutes'
/** `last_seen_at` is written at most once in this time. */
export const LAST_SEEN_INTERVAL = '1 minute'
