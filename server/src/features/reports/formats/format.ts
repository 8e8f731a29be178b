import type { OpenDataset } from '../dataset/open-dataset.ts'

/**
 * Makes a file of a dataset. The same dataset gives the same bytes in any time zone and language, on any machine of the
 * same architecture: zlib deflates differently on others.
 */
export type Render = (
  dataset: OpenDataset,
  /** Fonts for print, each read when it is needed. */
  fonts?: readonly (() => Uint8Array)[],
) => AsyncIterable<string | Uint8Array>

/**
 * Counted up when any renderer makes other bytes of the same dataset: a file is checked by making it again, which only
 * the version that made it can.
 */
export const RENDERER = 8
