/** Where the first value is that is not below `wanted`, in ascending `values`; their length if all are. */
export function firstAtLeast<T extends number | string>(values: ArrayLike<T>, wanted: T): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
