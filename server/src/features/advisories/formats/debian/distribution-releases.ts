/**
 * Version numbers of Debian and Ubuntu releases by codename (distro-info-data); Debian testing has the number of the
 * next release.
 */
const DEBIAN: Readonly<Record<string, string>> = {
  woody: '3.0',
  sarge: '3.1',
  etch: '4',
  lenny: '5',
  squeeze: '6',
  wheezy: '7',
  jessie: '8',
  stretch: '9',
  buster: '10',
  bullseye: '11',
  bookworm: '12',
  trixie: '13',
  forky: '14',
  duke: '15',
}

const UBUNTU: Readonly<Record<string, string>> = {
  precise: '12.04',
  trusty: '14.04',
  xenial: '16.04',
  bionic: '18.04',
  eoan: '19.10',
  focal: '20.04',
  groovy: '20.10',
  hirsute: '21.04',
  impish: '21.10',
  jammy: '22.04',
  kinetic: '22.10',
  lunar: '23.04',
  mantic: '23.10',
  noble: '24.04',
  oracular: '24.10',
  plucky: '25.04',
  questing: '25.10',
  resolute: '26.04',
}

/** `Debian:12`; an unknown codename is used as it is. */
export const debianRelease = (codename: string): string => `Debian:${lookUp(DEBIAN, codename)}`

/** `Ubuntu:22.04`, and `Ubuntu:Pro:22.04` for `esm-infra/jammy` and similar. */
export function ubuntuRelease(distro: string): string {
  const [first = '', second] = distro.split('/')
  const release = lookUp(UBUNTU, second ?? first)
  return second === undefined ? `Ubuntu:${release}` : `Ubuntu:Pro:${release}`
}

const lookUp = (releases: Readonly<Record<string, string>>, codename: string): string =>
  Object.hasOwn(releases, codename) ? (releases[codename] ?? codename) : codename
