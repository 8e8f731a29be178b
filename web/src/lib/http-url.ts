/**
 * The URL if it is http or https, without user name and password, which disguise the host; undefined for other texts.
 */
export function httpUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, username, password, href } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && username === '' && password === '' ? href : undefined
}
