import { lazyRouteComponent } from '@tanstack/react-router'

/** The script of a screen could not be had: the server is away, or was upgraded and has others. */
export class ChunkLoadError extends Error {
  constructor(cause: unknown) {
    super('The script of this screen could not be loaded', { cause })
    this.name = 'ScreenNotLoaded'
  }
}

/**
 * A screen whose script comes when it is first needed. A browser remembers that an import failed and answers so from
 * then on; `features/shell/not-loaded.tsx` therefore loads the page anew.
 */
export function lazyScreen<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  const loadOrTell = () =>
    load().catch((cause: unknown): never => {
      throw new ChunkLoadError(cause)
    })
  return lazyRouteComponent(loadOrTell, name)
}
