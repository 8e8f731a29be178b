/** PostgreSQL intervals, compared with the database's clock, so that all nodes agree. */

/** OWASP Session Management Cheat Sheet, Session Expiration: idle timeout. */
export const IDLE_TIMEOUT = '12 hours'
/** Same section, absolute timeout, counted from the sign-in. */
export const SESSION_LIFETIME = '7 days'
/** Time limit for the code of the second factor after the password. */
export const CODE_WITHIN = '10 minutes'
/** `last_seen_at` is written at most once in this interval. */
export const LAST_SEEN_INTERVAL = '1 minute'
