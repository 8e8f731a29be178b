import type { Download, DownloadContext, Upstream } from './upstream.ts'

export const NOW = new Date('2026-11-25T12:00:00Z')

/** A file that was loaded before. */
export const loadedPart = (part: string, known: Partial<PartOf> = {}): [string, PartOf] => [
  part,
  { part, etag: null, lastModified: null, checksum: null, position: null, syncedAt: NOW, ...known },
]
type PartOf = NonNullable<ReturnType<DownloadContext['parts']['get']>>

interface Scene extends Partial<Pick<DownloadContext, 'apiKey' | 'base' | 'isMirrored'>> {
  readonly parts?: readonly [string, PartOf][]
  /** The small files that are there; their paths begin at the base, or are whole addresses. */
  readonly files: Readonly<Record<string, string>>
}

/** What an upstream plans to download. */
export async function planned(
  upstream: Upstream,
  { files, parts = [], ...given }: Scene,
): Promise<Download[]> {
  const base = given.base ?? upstream.base ?? ''
  const text = (url: string) =>
    Promise.resolve(files[url] ?? (url.startsWith(base) ? files[url.slice(base.length)] : undefined))
  const downloads: Download[] = []
  const context = { isMirrored: false, ...given, now: NOW, base, parts: new Map(parts), text }
  for await (const it of upstream.plan(context)) downloads.push(it)
  return downloads
}
