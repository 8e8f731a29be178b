import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** The rules of docs/reports.md in one statement of SQL: what is due, when, and what it costs then. */
export function replacementsDue(ctx: Ctx, asOf: Date) {
  const day = asOf.toISOString().slice(0, 10)
  return sql`
    with terms as (
      select ${day}::date as day, t.currency, t.price_rise from budget_settings t where t.tenant_id = ${ctx.tenantId}
    ),
    dated as (
      select a.id, a.name, coalesce(a.device_type, 'unknown') as device_type, r.department, r.price, r.currency,
        greatest(terms.day, least(r.replace_on, r.lease_ends, r.hardware_eol, greatest(r.warranty_ends,
          (coalesce(r.purchased_on, (a.first_seen at time zone 'UTC')::date)
            + make_interval(months => p.life_months))::date))) as due_on,
        case when r.price is null or r.currency is null then p.price else r.price end as today,
        case when r.price is null or r.currency is null then p.currency else r.currency end as its
      from terms cross join assets a
      left join asset_records r on r.tenant_id = a.tenant_id and r.asset_id = a.id
      left join replacement_prices p on p.tenant_id = a.tenant_id
        and p.device_type = coalesce(a.device_type, 'unknown')
      where a.tenant_id = ${ctx.tenantId} and a.archived_at is null
        and a.asset_type in ('device', 'hypervisor', 'ot_device') and coalesce(r.state, '') not in ('retired', 'lost')
        and num_nonnulls(r.replace_on, r.lease_ends, r.hardware_eol, r.warranty_ends, p.life_months) > 0
    ),
    exact as (
      select dated.*, terms.currency as into_currency,
        today * case when its = terms.currency then 1 else (
            select x.rate from exchange_rates x where x.tenant_id = ${ctx.tenantId} and x.currency = its
              and x.day <= terms.day order by x.day desc limit 1) end
          * case extract(year from due_on) - extract(year from terms.day) when 0 then 1 when 1 then 1 + price_rise
            when 2 then (1 + price_rise) * (1 + price_rise)
            else (1 + price_rise) * (1 + price_rise) * (1 + price_rise) end as amount
      from dated cross join terms where due_on <= (terms.day + interval '36 months')::date
    )
    select id, name, due_on, to_char(due_on, 'YYYY') || '-Q' || to_char(due_on, 'Q') as quarter, department,
      into_currency, (case when amount * 100 - trunc(amount * 100) = 0.5 and mod(trunc(amount * 100), 2) = 0
        then trunc(amount * 100) / 100 else round(amount, 2) end)::numeric(14, 2) as amount
    from exact`
}
