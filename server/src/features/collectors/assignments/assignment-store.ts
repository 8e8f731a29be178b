import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { countOverTenants } from '#platform/observability/all-tenants.ts'

export interface Assignment {
  readonly id: string
  readonly collectorId: string
  /** What it is done for: of one subject there is one assignment. */
  readonly subject: string
  /** JSON. */
  readonly work: string
}

export async function add(ctx: Ctx, { id, collectorId, subject, work }: Assignment): Promise<void> {
  await ctx.db.run(sql`
    insert into collector_assignments (tenant_id, id, collector_id, subject, work)
    values (${ctx.tenantId}, ${id}, ${collectorId}, ${subject}, ${work})`)
}

/** Of an earlier attempt, whose worker died. */
export async function removeOf(ctx: Ctx, subject: string): Promise<void> {
  await ctx.db.run(sql`
    delete from collector_assignments where tenant_id = ${ctx.tenantId} and subject = ${subject}`)
}

interface Process {
  readonly process: string
  /** Ids of what it is at, and of what it has ended and nobody has removed yet. */
  readonly running: readonly string[]
}

/** Those of the collector that nobody has taken, and those that this process took and does not know of; the oldest first. None once another process has its place. */
export function take(
  ctx: Ctx,
  collectorId: string,
  { process, running, limit }: Process & { readonly limit: number },
): Promise<Pick<Assignment, 'id' | 'work'>[]> {
  return ctx.db.all(sql<Pick<Assignment, 'id' | 'work'>>`
    update collector_assignments set process = ${process}
    where tenant_id = ${ctx.tenantId} and id = any(array(
      select id from collector_assignments
      where tenant_id = ${ctx.tenantId} and collector_id = ${collectorId}
        and (process is null or process = ${process}) and id <> all(${[...running]}::uuid[])
      order by created_at, id limit ${Math.max(limit, 0)}))
      and exists (select from collectors
        where tenant_id = ${ctx.tenantId} and id = ${collectorId} and process = ${process})
    returning id, work`)
}

/** Of those named, the ones that still are this process's. */
export async function held(ctx: Ctx, collectorId: string, { process, running }: Process): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from collector_assignments
    where tenant_id = ${ctx.tenantId} and collector_id = ${collectorId} and process = ${process}
      and id = any(${[...running]}::uuid[])`)
  return rows.map(({ id }) => id)
}

/** Of a process of the collector that is no more: whoever waits for them finds them gone. None once another has its place. */
export async function removeOfOthers(ctx: Ctx, collectorId: string, process: string): Promise<void> {
  await ctx.db.run(sql`
    delete from collector_assignments
    where tenant_id = ${ctx.tenantId} and collector_id = ${collectorId} and process <> ${process}
      and exists (select from collectors
        where tenant_id = ${ctx.tenantId} and id = ${collectorId} and process = ${process})`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from collector_assignments where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** What servers left behind that died with their scans. */
export async function removeOlder(ctx: Ctx, hours: number): Promise<void> {
  await ctx.db.run(sql`
    delete from collector_assignments
    where tenant_id = ${ctx.tenantId} and created_at < clock_timestamp() - make_interval(hours => ${hours})`)
}

export interface Message {
  readonly number: number
  /** JSON. */
  readonly body: string
}

interface Place {
  readonly id: string
  readonly process: string
}

export interface Unread {
  readonly messages: number
  readonly characters: number
}

/** What nobody has read yet; undefined when the assignment is not the process's any more. */
export function unread(ctx: Ctx, { id, process }: Place): Promise<Unread | undefined> {
  return ctx.db.maybe(sql<Unread>`
    select coalesce(m.messages, 0)::int as messages, coalesce(m.characters, 0)::float8 as characters
    from collector_assignments a
    left join (
      select count(*) as messages, sum(length(body)) as characters from collector_messages
      where tenant_id = ${ctx.tenantId} and assignment_id = ${id} and not is_answer
    ) m on true
    where a.tenant_id = ${ctx.tenantId} and a.id = ${id} and a.process = ${process}`)
}

/** Adds what a process says of an assignment that is its own; what is there already stays. */
export async function addMessages(
  ctx: Ctx,
  { id, process }: Place,
  messages: readonly Message[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into collector_messages (tenant_id, assignment_id, is_answer, number, body)
    select ${ctx.tenantId}, a.id, false, m.number, m.body
    from (
      select id from collector_assignments
      where tenant_id = ${ctx.tenantId} and id = ${id} and process = ${process} for key share
    ) a, unnest(${messages.map((it) => it.number)}::integer[], ${messages.map((it) => it.body)}::text[])
      as m (number, body)
    on conflict (tenant_id, assignment_id, is_answer, number) do nothing`)
}

/** What the collector has said and nobody has read, in its order, some at a time. */
export async function takeMessages(ctx: Ctx, id: string, limit: number): Promise<Message[]> {
  const rows = await ctx.db.all(sql<Message>`
    delete from collector_messages
    where tenant_id = ${ctx.tenantId} and assignment_id = ${id} and not is_answer and number = any(array(
      select number from collector_messages
      where tenant_id = ${ctx.tenantId} and assignment_id = ${id} and not is_answer order by number limit ${limit}))
    returning number, body`)
  return rows.toSorted((a, b) => a.number - b.number)
}

export async function addAnswer(ctx: Ctx, id: string, { number, body }: Message): Promise<void> {
  await ctx.db.run(sql`
    insert into collector_messages (tenant_id, assignment_id, is_answer, number, body)
    select tenant_id, id, true, ${number}, ${body} from collector_assignments
    where tenant_id = ${ctx.tenantId} and id = ${id}
    on conflict (tenant_id, assignment_id, is_answer, number) do nothing`)
}

export interface Answer extends Message {
  readonly assignmentId: string
}

/** Of all that a process is at, some at a time. */
export function answers(
  ctx: Ctx,
  collectorId: string,
  { process, limit }: { readonly process: string; readonly limit: number },
): Promise<Answer[]> {
  return ctx.db.all(sql<Answer>`
    select m.assignment_id as "assignmentId", m.number, m.body
    from collector_assignments a
    join collector_messages m on m.tenant_id = ${ctx.tenantId} and m.assignment_id = a.id and m.is_answer
    where a.tenant_id = ${ctx.tenantId} and a.collector_id = ${collectorId} and a.process = ${process}
    order by m.number, a.id limit ${limit}`)
}

/** Which the process has. */
export async function removeAnswers(
  ctx: Ctx,
  { collectorId, process }: { readonly collectorId: string; readonly process: string },
  received: readonly Pick<Answer, 'assignmentId' | 'number'>[],
): Promise<void> {
  await ctx.db.run(sql`
    delete from collector_messages m
    using collector_assignments a,
      unnest(${received.map((it) => it.assignmentId)}::uuid[], ${received.map((it) => it.number)}::integer[]) as r (id, number)
    where a.tenant_id = ${ctx.tenantId} and a.collector_id = ${collectorId} and a.process = ${process} and a.id = r.id
      and m.tenant_id = ${ctx.tenantId} and m.assignment_id = a.id and m.is_answer and m.number = r.number`)
}

export interface Standing {
  /** Null until it was taken. */
  readonly process: string | null
  readonly silentMs: number
  readonly lastSeenAt: string | null
  readonly isRevoked: boolean
}

/** How the collector of an assignment is; undefined when either is gone. */
export function standing(ctx: Ctx, id: string): Promise<Standing | undefined> {
  return ctx.db.maybe(sql<Standing>`
    select a.process, c.last_seen_at as "lastSeenAt", c.revoked_at is not null as "isRevoked",
      coalesce(1000 * extract(epoch from clock_timestamp() - c.last_seen_at), 1e12)::float8 as "silentMs"
    from collector_assignments a
    join collectors c on c.tenant_id = ${ctx.tenantId} and c.id = a.collector_id
    where a.tenant_id = ${ctx.tenantId} and a.id = ${id}`)
}

/** Over all tenants. */
export async function countAssignments(system: Ctx): Promise<Record<string, number>> {
  const [row] = await countOverTenants(
    system,
    sql<Record<string, number>>`
    select count(*) filter (where process is null) as waiting, count(*) filter (where process is not null) as taken
    from collector_assignments`,
  )
  return { ...row }
}
