/** Queries that took too long: for a while they are refused at once. */
export interface TimedOutQueries {
  /** Throws as a cancelled query does, if this one took too long lately. */
  readonly refuse: (key: string) => void
  /** Runs the query; remembers it when it is cancelled. */
  readonly run: <T>(key: string, work: () => Promise<T>) => Promise<T>
}

const REFUSED_MS = 60_000
const REFUSED_MAX = 1_000
const QUERY_CANCELED = '57014'

export function timedOutQueries(): TimedOutQueries {
  /** The earliest first. */
  const ends = new Map<string, number>()
  return {
    refuse(key) {
      const end = ends.get(key)
      if (end === undefined) return
      if (performance.now() < end) throw canceled()
      ends.delete(key)
    },
    async run(key, work) {
      try {
        return await work()
      } catch (error) {
        if (isCanceled(error)) {
          const [earliest] = ends.keys()
          if (ends.size >= REFUSED_MAX && earliest !== undefined) ends.delete(earliest)
          ends.delete(key)
          ends.set(key, performance.now() + REFUSED_MS)
        }
        throw error
      }
    },
  }
}

/** The error that PostgreSQL reports for a cancelled query. */
export const canceled = (): Error => Object.assign(new Error('takes too long'), { code: QUERY_CANCELED })

export const isCanceled = (error: unknown): boolean => (error as { code?: unknown }).code === QUERY_CANCELED
