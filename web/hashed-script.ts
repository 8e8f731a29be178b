import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Gives a classic script of index.html, which Vite leaves alone, a name with a hash of its content as all other files
 * have: browsers keep it without asking again, and it holds up no page. `path` is relative to the root.
 */
export function hashedScript(path: string): Plugin {
  let root = ''
  let reference = ''
  return {
    name: 'hashed-script',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => void (root = config.root),
    buildStart() {
      reference = this.emitFile({
        type: 'asset',
        name: basename(path),
        source: readFileSync(join(root, path), 'utf8'),
      })
    },
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      const tag = `src="/${path}"`
      if (page?.type !== 'asset' || !String(page.source).includes(tag))
        this.error(`index.html has no script with ${tag}`)
      page.source = String(page.source).replace(tag, `src="/${this.getFileName(reference)}"`)
    },
  }
}
