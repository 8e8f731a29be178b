const STEP_PERCENT = 5

/** In steps of 5 %, so that it changes seldom; undefined where one of both is not known. */
export function usedPercent(
  sizeBytes: number | undefined,
  freeBytes: number | undefined,
): number | undefined {
  if (!sizeBytes || freeBytes === undefined) return undefined
  return Math.round(((sizeBytes - freeBytes) / sizeBytes) * (100 / STEP_PERCENT)) * STEP_PERCENT
}
