interface Named {
  readonly name: string
  readonly slug: string
}

/** Those whose name or address has the text, by name; an exact name comes first. */
export function tenantsNamed<Tenant extends Named>(
  tenants: readonly Tenant[],
  text: string,
): readonly Tenant[] {
  const wanted = text.trim().toLowerCase()
  const isExact = ({ name, slug }: Named) => name.toLowerCase() === wanted || slug === wanted
  return tenants
    .filter(({ name, slug }) => name.toLowerCase().includes(wanted) || slug.includes(wanted))
    .toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)) || a.name.localeCompare(b.name))
}
