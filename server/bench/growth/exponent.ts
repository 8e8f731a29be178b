/** How a cost was at a size. */
export interface CostAtSize {
  readonly size: number
  readonly cost: number
}

/** The slope of the straight line through the logarithms: a cost of `size ** exponent`. Undefined of fewer than two sizes. */
export function fittedExponent(points: readonly CostAtSize[]): number | undefined {
  const found = points
    .filter(({ cost }) => cost > 0)
    .map((it) => [Math.log(it.size), Math.log(it.cost)] as const)
  const sizes = new Set(found.map(([x]) => x))
  if (sizes.size < 2) return undefined
  const [x, y] = [mean(found.map(([it]) => it)), mean(found.map(([, it]) => it))]
  const above = found.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return above / found.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, it) => sum + it, 0) / numbers.length
