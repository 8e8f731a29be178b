import { count, decimal, many } from '#lib/numbers.ts'

/** `740 bytes`, `12 kB`, `3.4 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return many(bytes, 'byte')
  if (bytes < 1_000_000) return `${count(Math.round(bytes / 1_000))} kB`
  return `${decimal(bytes / 1_000_000, 1)} MB`
}
