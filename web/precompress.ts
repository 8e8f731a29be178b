import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

// Lays every file of the built app beside itself in the codings that the server negotiates
// (server/src/platform/http/static-files.ts): compressed once, as well as can be, instead of at every request.

/** The server knows the media types of these (MEDIA_TYPES there). */
const COMPRESSED = new Set(['.js', '.css', '.html', '.svg', '.json'])
/** Shorter files fit a packet as they are. */
const BYTES_MIN = 1_024
/** The window stays below the 8 MB that browsers must be able to read (RFC 9659). */
const ZSTD_LEVEL = 19

export const CODINGS: Readonly<Record<'.br' | '.zst' | '.gz', (content: Buffer) => Buffer>> = {
  '.br': (content) =>
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  '.zst': (content) =>
    zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } }),
  '.gz': (content) => gzipSync(content, { level: constants.Z_BEST_COMPRESSION }),
}

export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: ({ dir }) => {
      if (dir !== undefined) compressAll(dir)
    },
  }
}

export function compressAll(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (!COMPRESSED.has(extname(name)) || statSync(path).size < BYTES_MIN) continue
    const writtenAt = statSync(path).mtimeMs
    if (isCoded(path, writtenAt)) continue
    const content = readFileSync(path)
    for (const [place, [extension, coded]] of Object.entries(CODINGS).entries()) {
      const shorter = coded(content)
      if (shorter.length >= content.length) continue
      writeFileSync(path + extension, shorter)
      // ETags are made of size and time: no two codings of a file share both
      const at = new Date(writtenAt + (place + 1) * 1_000)
      utimesSync(path + extension, at, at)
    }
  }
}

/** By the build of another language. */
const isCoded = (path: string, writtenAt: number): boolean =>
  Object.keys(CODINGS).some((it) => existsSync(path + it) && statSync(path + it).mtimeMs > writtenAt)
