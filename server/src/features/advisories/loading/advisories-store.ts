import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Load } from './staged-rows.ts'

const touched = (id: string) => sql`(select key from staged_entries where load = ${id} and not is_unchanged)`

/** Packages of the old and of the new version of a record both count as changed. */
export async function writeAdvisories(
  ctx: Ctx,
  load: Load,
  generation: number,
): Promise<{ readonly changed: number; readonly removed: number }> {
  const { id, feed, part } = load
  const isHolder = load.isWhole || (await wasWhole(ctx, load))
  const removed = load.isWhole ? await letGo(ctx, load) : 0
  await recordChanges(ctx, load, generation)
  for (const table of [sql`advisory_rules`, sql`advisory_names`]) await ctx.db.run(deletion(table, load))
  await ctx.db.run(sql`
    delete from advisories where feed = ${feed}
      and key in (select key from staged_entries where load = ${id} and is_gone)`)
  const changed = await ctx.db.run(sql`
    insert into advisories (feed, key, id, parts, digest, state, is_disputed, cve_ids, severity, body)
    select ${feed}, key, id, ${isHolder ? [part] : []}::text[], digest, state, is_disputed, cve_ids, severity, body
    from staged_entries where load = ${id} and not is_unchanged and not is_gone
    on conflict (feed, key) do update set id = excluded.id, digest = excluded.digest, state = excluded.state,
      is_disputed = excluded.is_disputed, cve_ids = excluded.cve_ids, severity = excluded.severity, body = excluded.body`)
  await ctx.db.run(sql`
    insert into advisory_names (name, feed, key)
    select name, ${feed}, key from staged_entries, unnest(names) as name
    where load = ${id} and not is_unchanged and not is_gone`)
  await ctx.db.run(sql`
    insert into advisory_rules (ecosystem, package, feed, key, advisory_id, cve_ids, is_disputed, rules)
    select it.ecosystem, it.package, ${feed}, key, id, cve_ids, is_disputed, it.rules
    from staged_entries, json_to_recordset(packages) as it (ecosystem text, package text, rules json)
    where load = ${id} and not is_unchanged and not is_gone`)
  if (isHolder) await hold(ctx, load)
  await recordChanges(ctx, load, generation)
  return { changed, removed }
}

/** Notes which records the file no longer holds; stages those that no other file holds as gone and returns how many. */
async function letGo(ctx: Ctx, { id, feed, part }: Load): Promise<number> {
  const isMissing = sql`not exists (select from staged_entries s where s.load = ${id} and s.key = a.key)`
  const gone = await ctx.db.run(sql`
    insert into staged_entries (load, key, is_gone)
    select ${id}, key, true from advisories a where feed = ${feed} and parts = array[${part}] and ${isMissing}`)
  await ctx.db.run(sql`
    update advisories a set parts = array_remove(parts, ${part})
    where feed = ${feed} and ${part} = any(parts) and cardinality(parts) > 1 and ${isMissing}`)
  return gone
}

/** A part that never comes whole, such as the changes of a year, holds no record: it could not let go of any. */
async function wasWhole(ctx: Ctx, { feed, part }: Load): Promise<boolean> {
  const known = await ctx.db.all(
    sql`select from advisory_parts where feed = ${feed} and part = ${part} and records > 0`,
  )
  return known.length > 0
}

async function hold(ctx: Ctx, { id, feed, part }: Load): Promise<void> {
  await ctx.db.run(sql`
    update advisories a set parts = parts || ${part}::text from staged_entries s
    where s.load = ${id} and not s.is_gone and a.feed = ${feed} and a.key = s.key and not ${part} = any(a.parts)`)
}

const deletion = (table: ReturnType<typeof sql>, { id, feed }: Load) =>
  sql`delete from ${table} where feed = ${feed} and key in ${touched(id)}`

async function recordChanges(ctx: Ctx, { id, feed }: Load, generation: number): Promise<void> {
  await ctx.db.run(sql`
    insert into catalogue_changes (generation, ecosystem, name)
    select distinct ${generation}::bigint, ecosystem, package from advisory_rules
    where feed = ${feed} and key in ${touched(id)}
    union
    select distinct ${generation}::bigint, '', cve_id from advisories, unnest(cve_ids) as cve_id
    where feed = ${feed} and key in ${touched(id)}
    on conflict do nothing`)
}
