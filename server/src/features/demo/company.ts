import { seededRandom, permuted } from './seeded-random.ts'
import type { Estate } from './generators/generator.ts'

/** The demo company. Its domain is reserved for examples (RFC 2606). */
export const DOMAIN = 'halden.example'

export interface Site {
  readonly code: string
  readonly city: string
  /** Second octet of its network 10.x.0.0/16. */
  readonly network: number
}

/** The site of an asset and its index there: assets are distributed over the sites by their number. */
export function siteOf(number: number, estate: Estate): { site: Site; rank: number } {
  const sites = siteCount(estate)
  return { site: siteAt(number % sites), rank: Math.floor(number / sites) }
}

const ASSETS_PER_SITE = 400
const SITES_MIN = 3
const SITES_MAX = 200
const siteCount = (estate: Estate): number =>
  Math.min(SITES_MAX, Math.max(SITES_MIN, Math.round(estate.size / ASSETS_PER_SITE)))

/** All of them, the head office first. */
export const sitesOf = (estate: Estate): Site[] =>
  Array.from({ length: siteCount(estate) }, (_, index) => siteAt(index))

/** UN/LOCODE location codes. The head office comes first. */
const cities = [
  ['osl', 'Oslo'],
  ['ber', 'Berlin'],
  ['ams', 'Amsterdam'],
  ['gva', 'Geneva'],
  ['lyo', 'Lyon'],
  ['mil', 'Milan'],
  ['vie', 'Vienna'],
  ['prg', 'Prague'],
  ['waw', 'Warsaw'],
  ['cph', 'Copenhagen'],
  ['sto', 'Stockholm'],
  ['hel', 'Helsinki'],
  ['dub', 'Dublin'],
  ['lis', 'Lisbon'],
  ['bcn', 'Barcelona'],
  ['ath', 'Athens'],
  ['tor', 'Toronto'],
  ['bos', 'Boston'],
  ['chi', 'Chicago'],
  ['sin', 'Singapore'],
  ['tyo', 'Tokyo'],
  ['syd', 'Sydney'],
  ['sao', 'São Paulo'],
  ['cpt', 'Cape Town'],
] as const

function siteAt(index: number): Site {
  const [code, city] = cities[index % cities.length]!
  const nth = Math.floor(index / cities.length) + 1
  return {
    code: nth === 1 ? code : `${code}${nth}`,
    city: nth === 1 ? city : `${city} ${nth}`,
    network: index,
  }
}

/**
 * The address of the n-th host, counted from the given third octet; the first addresses of each /24 are reserved for
 * network devices.
 */
export function addressIn(firstTwo: string, third: number, rank: number): string {
  return `${firstTwo}.${third + Math.floor(rank / HOSTS_PER_NET)}.${10 + (rank % HOSTS_PER_NET)}`
}
const HOSTS_PER_NET = 240

export const fullName = (host: string): string => `${host}.${DOMAIN}`

/** The host name by site, role and index, such as `ber-lt-0042`. */
export const hostNameAt = (site: Site, role: string, rank: number): string =>
  `${site.code}-${role}-${String(rank + 1).padStart(4, '0')}`

export interface Person {
  readonly name: string
  readonly login: string
  readonly department: string
  /** The directory's objectGUID. */
  readonly objectId: string
}

export function personAt(number: number, estate: Estate): Person {
  const pairs = firstNames.length * lastNames.length
  const pair = permuted(number % pairs, pairs)
  const first = firstNames[pair % firstNames.length]!
  const last = lastNames[Math.floor(pair / firstNames.length)]!
  const nth = Math.floor(number / pairs) + 1
  const random = seededRandom(estate.seed, 'person', number)
  return {
    name: `${first} ${last}`,
    login: `${first}.${last}${nth === 1 ? '' : nth}`.toLowerCase(),
    department: random.pick(departments),
    objectId: random.uuid(),
  }
}

export const ownerOf = (number: number, estate: Estate): Person =>
  personAt(number % estate.count('users'), estate)

const departments = [
  'Finance',
  'Sales',
  'Engineering',
  'Production',
  'Logistics',
  'Human Resources',
  'Legal',
  'IT',
]
// prettier-ignore
const firstNames = [
  'Ada', 'Ahmed', 'Aiko', 'Alice', 'Amara', 'Anna', 'Arjun', 'Astrid', 'Bruno', 'Carlos', 'Chen', 'Clara', 'Daniel',
  'Diego', 'Elena', 'Elif', 'Emil', 'Erik', 'Fatima', 'Felix', 'Greta', 'Hana', 'Hugo', 'Ida', 'Ines', 'Ivan', 'Jonas',
  'Julia', 'Kenji', 'Lars', 'Leila', 'Liam', 'Lucia', 'Maja', 'Marco', 'Maria', 'Mateo', 'Mila', 'Mina', 'Nadia',
  'Noah', 'Olga', 'Omar', 'Oskar', 'Paula', 'Pedro', 'Priya', 'Rosa', 'Samir', 'Sara', 'Sofia', 'Tariq', 'Thea',
  'Tomas', 'Uma', 'Victor', 'Wei', 'Yara', 'Yusuf', 'Zoe', 'Zofia',
]
// prettier-ignore
const lastNames = [
  'Almeida', 'Andersen', 'Bakker', 'Berg', 'Bianchi', 'Brown', 'Castro', 'Cohen', 'Costa', 'Dahl', 'Diallo', 'Dubois',
  'Eriksen', 'Farah', 'Fischer', 'Garcia', 'Gupta', 'Haddad', 'Hansen', 'Hoffmann', 'Horvat', 'Ito', 'Jansen',
  'Jensen', 'Kaya', 'Keller', 'Khan', 'Kim', 'Kowalski', 'Larsen', 'Lindberg', 'Lopez', 'Mbeki', 'Meyer', 'Moreau',
  'Murphy', 'Nagy', 'Nguyen', 'Nilsen', 'Novak', 'Okafor', 'Olsen', 'Patel', 'Petrov', 'Popescu', 'Ricci', 'Rossi',
  'Santos', 'Sato', 'Schmidt', 'Silva', 'Singh', 'Smith', 'Svensson', 'Tanaka', 'Virtanen', 'Wagner', 'Weber',
  'Wilson', 'Yilmaz', 'Zhang',
]
