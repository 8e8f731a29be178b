import { lazyRouteComponent } from '@tanstack/react-router'

/** The script of a screen could not be loaded: the server is unreachable, or was upgraded and has other scripts. */
export class ChunkLoadError extends Error {
  constructor(cause: unknown) {
    super('The script of this screen could not be loaded', { cause })
    this.name = 'ScreenNotLoaded'
  }
}

/**
 * A screen whose script is loaded on first use. Browsers cache a failed import, so `features/shell/chunk-load-
 * error.tsx` reloads the page.
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
