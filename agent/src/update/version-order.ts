/** Whether `a` is the later of two versions of three numbers. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((it) => it.split('.').map(Number))
  const at = left?.findIndex((number, index) => number !== right?.[index]) ?? -1
  return at >= 0 && (left?.[at] ?? 0) > (right?.[at] ?? 0)
}
