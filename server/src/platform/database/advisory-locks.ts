import { sql, type RawBuilder } from 'kysely'

/**
 * The keys of all advisory locks, in one place so that none is used twice. An advisory lock is known to one database only:
 * whatever it serializes must run against the same database.
 */
export const ADVISORY_LOCKS = {
  /** Held by whoever applies migrations. */
  migrations: 7_261_001,
  /** Held shared by each process that uses the embedded server. */
  embeddedServer: 7_261_002,
  /** Held by the process that runs periodic jobs. */
  scheduler: 7_261_003,
  /** Held while the embedded server is given its database. */
  embeddedDatabase: 7_261_004,
} as const

/** First halves of keys; the second half is what is locked. */
export const ADVISORY_LOCK_CLASSES = {
  /** A tenant's clusters are worked out by one transaction at a time; by the hash of its id. */
  identity: 7,
  /** A tenant's findings are changed by one transaction at a time; by the hash of its id. */
  findings: 22,
  /** Held while it is decided how many imports a tenant may begin; by the hash of its id. */
  imports: 23,
  /** Held while it is decided whether a tenant has room for an attached file; by the hash of its id. */
  attachments: 26,
  /** Held while a tenant's receivers are counted before one is added; by the hash of its id. */
  receivers: 24,
  /** Held while it is decided how many reports of a tenant are generated at once; by the hash of its id. */
  reports: 25,
  /** A tenant's runs of flows are admitted, and its triggers changed, by one transaction at a time; by the hash of its id. */
  flows: 65,
  /** Held by the one transaction of a tenant that judges assets which changed; by the hash of its id. */
  compliance: 27,
  /** A tenant's notice rules and what they listen to are changed by one transaction at a time; by the hash of its id. */
  noticeRules: 69,
  /** A tenant's named conditions are changed by one transaction at a time; by the hash of its id. */
  groups: 60,
  /** Held for as long as a delivering process lives; by its number. */
  workers: 7_261_006,
} as const

type LockOfTenant =
  | 'identity'
  | 'findings'
  | 'imports'
  | 'attachments'
  | 'receivers'
  | 'reports'
  | 'flows'
  | 'compliance'
  | 'groups'
  | 'noticeRules'

/** Does not wait: false when somebody else has the lock of the tenant, or waits for it. */
export const tryLockOfTenant = (of: LockOfTenant, tenantId: string): RawBuilder<{ isOurs: boolean }> =>
  sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCK_CLASSES[of]}::int, hashtext(${tenantId})) as "isOurs"`

/** Waits for the lock of the tenant and holds it until the transaction ends. */
export const lockOfTenant = (of: LockOfTenant, tenantId: string): RawBuilder<unknown> =>
  sql`select pg_advisory_xact_lock(${ADVISORY_LOCK_CLASSES[of]}::int, hashtext(${tenantId}))`
