/** NVD's product name of a Windows release by its display name (normalised); undefined for other software. */
export function windowsProduct(name: string): string | undefined {
  const text = name.replace(/^microsoft /, '').replaceAll(/\(.*?\)/g, ' ')
  const server = /^windows server,?\s+(?:version\s+)?(\d{4}|\d\dh\d)( r2)?(?:,\s*(\d\dh\d))?(.*)$/.exec(text)
  if (server) {
    const [, release = '', second = '', half, rest = ''] = server
    if (half !== undefined) return `windows_server_${release}_${half}`
    const pack = release === '2008' && second === '' && /service pack 2/.test(rest) ? '_sp2' : ''
    return `windows_server_${release}${second ? '_r2' : ''}${pack}`
  }
  const client = /^windows (7|8\.1|8|10|11|xp|vista)\b(?:.*?\bversion (\d{4}|\d\dh\d)\b)?/.exec(text)
  if (!client) return undefined
  const [, release = '', version] = client
  return `windows_${release}${version === undefined ? '' : `_${version}`}`
}
