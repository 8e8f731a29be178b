import { record } from '#features/audit/audit.ts'
import { sendSignal } from '#features/events/events.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { checkedEntry, type ListEntry, type SoftwareList, type SoftwarePattern } from './list-entry.ts'
import * as store from './software-list-store.ts'

/** All of a list is compared with each distinct piece of software. */
const ENTRIES_MAX = 500

/** What the tenant forbids and allows; `list` absent: both, the forbidden first. */
export async function listSoftwareEntries(
  ctx: Ctx,
  page: Page,
  list?: SoftwareList,
): Promise<Listed<store.CountedEntry>> {
  permit(ctx, 'assets:read')
  return store.entries(ctx, page, list)
}

/**
 * Puts software on a list; an entry with the same name and vendor gets the new reason. Whoever decides what compliance
 * is decides this, for checks follow it: the signal `software.listed` has them judged again.
 */
export async function addSoftwareEntry(ctx: Ctx, input: ListEntry): Promise<ListEntry> {
  permit(ctx, 'compliance:write')
  const entry = checkedEntry(input)
  return atomically(ctx, async (inner) => {
    await store.saveEntry(inner, entry)
    if ((await store.countEntries(inner, entry.list)) > ENTRIES_MAX)
      throw conflict(`the list has ${ENTRIES_MAX} entries already`)
    await changed(inner, 'software_list.added', entry)
    return entry
  })
}

/** 404 where the list has no entry with this name and vendor. */
export async function removeSoftwareEntry(ctx: Ctx, entry: SoftwarePattern): Promise<void> {
  permit(ctx, 'compliance:write')
  await atomically(ctx, async (inner) => {
    if (!(await store.removeEntry(inner, entry))) throw notFound('Entry of the list')
    await changed(inner, 'software_list.removed', entry)
  })
}

async function changed(ctx: Ctx, action: string, entry: SoftwarePattern): Promise<void> {
  await record(ctx, action, { type: 'tenant', id: ctx.tenantId }, { ...entry })
  await sendSignal(ctx, 'software.listed', { list: entry.list })
}
