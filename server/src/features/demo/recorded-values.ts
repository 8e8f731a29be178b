import type { RecordChange } from '#features/records/values/asset-record.ts'
import { DOMAIN, ownerOf, siteOf } from './company.ts'
import type { Estate } from './generators/generator.ts'
import { seededRandom, type SeededRandom } from './seeded-random.ts'

/** What the company's purchasing list says of its devices. */

interface Purchase {
  /** In euros. */
  readonly price: readonly [least: number, most: number]
  readonly warrantyYears: number
  readonly lifeYears: number
  /** Whose they are; absent: of the people who work with them. */
  readonly team?: string
  readonly suppliers: readonly string[]
}

const office = ['Nordic IT Supply', 'Bechtle', 'Computacenter'] as const
const purchases: Readonly<Record<string, Purchase>> = {
  laptops: { price: [980, 2400], warrantyYears: 3, lifeYears: 4, suppliers: office },
  desktops: { price: [620, 1300], warrantyYears: 3, lifeYears: 5, suppliers: office },
  handhelds: { price: [390, 1100], warrantyYears: 2, lifeYears: 3, suppliers: office },
  servers: {
    price: [6_200, 18_000],
    warrantyYears: 5,
    lifeYears: 6,
    team: 'Server team',
    suppliers: ['Computacenter'],
  },
  hypervisors: {
    price: [14_000, 32_000],
    warrantyYears: 5,
    lifeYears: 6,
    team: 'Server team',
    suppliers: ['Computacenter'],
  },
  printers: {
    price: [280, 4_800],
    warrantyYears: 3,
    lifeYears: 6,
    team: 'Facilities',
    suppliers: ['Ricoh Nordic'],
  },
  switches: {
    price: [1_900, 7_400],
    warrantyYears: 5,
    lifeYears: 8,
    team: 'Network team',
    suppliers: ['Axians'],
  },
  'access-points': {
    price: [160, 780],
    warrantyYears: 3,
    lifeYears: 6,
    team: 'Network team',
    suppliers: ['Axians'],
  },
  firewalls: {
    price: [2_800, 9_500],
    warrantyYears: 3,
    lifeYears: 6,
    team: 'Network team',
    suppliers: ['Axians'],
  },
  'desk-phones': { price: [110, 260], warrantyYears: 2, lifeYears: 7, team: 'Facilities', suppliers: office },
  cameras: {
    price: [240, 690],
    warrantyYears: 3,
    lifeYears: 7,
    team: 'Facilities',
    suppliers: ['Securitas'],
  },
}

/** Of every hundred: what nobody ever wrote down, and what is leased instead of bought. */
const UNKNOWN_PERCENT = 8
const LEASED_PERCENT = 15
const AGE_DAYS_MAX = 5 * 365
const DAY_MS = 86_400_000

/** Undefined for what purchasing does not buy. The same for all days of a year. `place` is the path of one. */
export function recordedOf(
  generator: string,
  number: number,
  estate: Estate,
): (RecordChange & { place?: string }) | undefined {
  const purchase = purchases[generator]
  const random = seededRandom(estate.seed, 'record', generator, number)
  if (!purchase || random.percent(UNKNOWN_PERCENT)) return undefined
  const newYear = Date.UTC(estate.day.getUTCFullYear(), 0, 1)
  const boughtAt = new Date(newYear - random.below(AGE_DAYS_MAX) * DAY_MS)
  const state = stateOf(random)
  const decided = seededRandom(estate.seed, 'decided', generator, number)
  const person = purchase.team === undefined ? ownerOf(number, estate) : undefined
  const department = person?.department ?? (purchase.team === 'Facilities' ? 'Facilities' : 'IT')
  const [least, most] = purchase.price
  const isLeased = person !== undefined && random.percent(LEASED_PERCENT)
  return {
    owner: state === 'in_stock' ? 'IT service desk' : person ? `${person.login}@${DOMAIN}` : purchase.team,
    department,
    costCentre: `CC-${1000 + department.length * 10}`,
    state,
    purchasedOn: dayOf(boughtAt),
    price: `${least + random.below(most - least)}.${random.pick(['00', '50', '90'])}`,
    currency: 'EUR',
    supplier: random.pick(purchase.suppliers),
    orderNumber: `PO-${boughtAt.getUTCFullYear()}-${String(1 + random.below(900)).padStart(4, '0')}`,
    warrantyEnds: yearsAfter(boughtAt, purchase.warrantyYears),
    replaceOn: yearsAfter(boughtAt, purchase.lifeYears),
    ...(isLeased && { leaseEnds: yearsAfter(boughtAt, 3) }),
    ...(generator === 'switches' && { hardwareEol: yearsAfter(boughtAt, 9) }),
    ...(generator === 'servers' && { hardwareEol: yearsAfter(boughtAt, 4) }),
    ...(decided.percent(85) && { approved: decided.percent(94) ? 'yes' : 'no' }),
    ...(state === 'in_repair' && { notes: 'Sent in: the display flickers.' }),
    ...(state === 'in_stock' && { place: `${siteOf(number, estate).site.city} / ${STORE_ROOM}` }),
  }
}

/** The room of each site where spare devices lie. */
export const STORE_ROOM = 'Store room'

function stateOf(random: SeededRandom): string {
  const of1000 = random.below(1_000)
  if (of1000 < 40) return 'in_stock'
  if (of1000 < 60) return 'in_repair'
  if (of1000 < 90) return 'retired'
  return of1000 < 95 ? 'lost' : 'in_use'
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
const yearsAfter = (at: Date, years: number): string =>
  dayOf(new Date(Date.UTC(at.getUTCFullYear() + years, at.getUTCMonth(), at.getUTCDate())))
