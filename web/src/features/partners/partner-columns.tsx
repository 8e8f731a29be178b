import { Link } from '@tanstack/react-router'
import type { PartnerRow } from '#api/generated/partners.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { count } from '#lib/numbers.ts'
import { Time } from '#ui/time.tsx'
import { PartnerApiState } from './partner-api-state.tsx'

export const partnerColumns: readonly ListColumn<PartnerRow>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 12,
    grow: 1.4,
    cell: ({ id, name }) => (
      <Link to="/partners/$partnerId" params={{ partnerId: id }}>
        {name}
      </Link>
    ),
    sort: 'name',
  },
  { key: 'slug', title: 'Short name', width: 9, cell: ({ slug }) => <code>{slug}</code>, sort: 'slug' },
  {
    key: 'api',
    title: 'API',
    width: 6,
    cell: ({ apiEnabled }) => <PartnerApiState isEnabled={apiEnabled} />,
    sort: 'api',
  },
  { key: 'email', title: 'Contact', width: 12, grow: 1, cell: ({ email }) => email, sort: 'email' },
  {
    key: 'quota',
    title: 'Asset quota',
    width: 7,
    cell: ({ quotaLimit }) => count(quotaLimit),
    sort: 'quota',
    isGreatestFirst: true,
  },
  {
    key: 'rate',
    title: 'Requests per minute',
    width: 9.5,
    cell: ({ rateLimit }) => count(rateLimit),
    sort: 'rate_limit',
    isGreatestFirst: true,
  },
  {
    key: 'created',
    title: 'Created',
    width: 8,
    fillsWidth: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: 'created',
    isGreatestFirst: true,
  },
]
