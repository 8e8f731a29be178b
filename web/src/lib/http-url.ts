/**
 * The address as it leads somewhere on the web; undefined for every other text. With a name or password in it, an
 * address leads elsewhere than it seems to.
 */
export function httpUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, username, password, href } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && username === '' && password === '' ? href : undefined
}
