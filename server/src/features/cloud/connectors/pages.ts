import { CloudFault } from './cloud-fault.ts'

/** One page of a provider's list. */
export interface ListPage<T> {
  readonly items: readonly T[]
  /** Absent on the last page. */
  readonly next?: string
}

/** More than this in one reading is told of, not read. */
const ITEMS_MAX = 500_000

interface Listing {
  /** Whether a page token that is refused begins the list anew, once; otherwise it is thrown as `page_refused`. */
  readonly beginsAnew: boolean
}

/** What is read twice is the same rows again. */
const LISTED: Listing = { beginsAnew: true }
/** Of rows that are added up: what was read twice would count twice. */
export const ADDED_UP: Listing = { beginsAnew: false }

/** All pages of a list. A token that repeats itself would never end. */
export async function* pagesOf<T>(
  ask: (token?: string) => Promise<ListPage<T>>,
  { beginsAnew }: Listing = LISTED,
): AsyncIterable<readonly T[]> {
  let mayBeginAnew = beginsAnew
  const seen = new Set<string>()
  let read = 0
  for (let token: string | undefined; ;) {
    let page: ListPage<T>
    try {
      page = await ask(token)
    } catch (error) {
      const isRefused = error instanceof CloudFault && error.kind === 'page_refused'
      if (!isRefused || token === undefined || !mayBeginAnew) throw error
      mayBeginAnew = false
      seen.clear()
      read = 0
      token = undefined
      continue
    }
    read += page.items.length
    if (read > ITEMS_MAX) throw new CloudFault('too_many', `the list has more than ${ITEMS_MAX} entries`)
    yield page.items
    if (page.next === undefined || page.next === '') return
    if (seen.has(page.next)) throw new CloudFault('pages_repeat', 'the pages of the list repeat')
    seen.add(page.next)
    token = page.next
  }
}
