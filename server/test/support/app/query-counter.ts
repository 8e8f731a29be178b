import type { Runtime } from '../../../src/startup/runtime.ts'
import type { Db } from '../../../src/platform/database/database.ts'

/** A runtime whose tenants' queries are counted, without those of the entrance. */
export function counting(runtime: Runtime, counter: { queries: number }): Runtime {
  return {
    ...runtime,
    contextFor(tenantId, actor) {
      const ctx = runtime.contextFor(tenantId, actor)
      return { ...ctx, db: countingDb(ctx.db, counter) }
    },
  }
}

function countingDb(db: Db, counter: { queries: number }): Db {
  const counted =
    <A extends unknown[], R>(ask: (...args: A) => R) =>
    (...args: A): R => {
      counter.queries += 1
      return ask(...args)
    }
  const { matches, ...others } = db
  return {
    ...others,
    ...(matches && { matches: counted(matches) }),
    about: (subjects) => countingDb({ ...db, ...db.about(subjects) }, counter),
    all: counted(db.all) as Db['all'],
    one: counted(db.one) as Db['one'],
    maybe: counted(db.maybe) as Db['maybe'],
    cached: counted(db.cached) as Db['cached'],
    run: counted(db.run),
    transaction: (work, isolation) => db.transaction((inner) => work(countingDb(inner, counter)), isolation),
  }
}
