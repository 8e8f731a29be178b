import { useQuery } from '@tanstack/react-query'
import { OpenItemsDocument, type OpenItemsData } from '#api/generated/notices.ts'
import { q } from '#api/query-client.ts'
import { itemAt } from './navigation.ts'

const ASK_AGAIN_MS = 60_000

/** What waits for people, asked for again every minute; undefined while loading. */
export const useOpenItems = (): OpenItemsData['openItems'] | undefined =>
  useQuery({ ...q(OpenItemsDocument, {}), refetchInterval: ASK_AGAIN_MS }).data?.openItems

/** How much waits on each screen of the navigation, by its path. */
export function useWaiting(): ReadonlyMap<string, number> {
  const waiting = new Map<string, number>()
  for (const { total, items } of useOpenItems() ?? []) {
    const screen = itemAt(items[0]?.link ?? '/')
    if (screen && screen.to !== '/') waiting.set(screen.to, (waiting.get(screen.to) ?? 0) + total)
  }
  return waiting
}
