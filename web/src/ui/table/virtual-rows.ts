/** Firefox renders no element taller than about 17.9 million pixels; the scroll position of longer lists is scaled. */
const HEIGHT_MAX = 15_000_000
/** Overscan: rows rendered beyond each edge, so that a quick scroll shows rows and no gap. */
const OVERSCAN_ROWS = 8

export interface ScrollPosition {
  readonly total: number
  readonly rowHeight: number
  readonly viewHeight: number
  readonly scrollTop: number
}

/**
 * The rows to render of a list of equal row heights: from `first` up to but not including `end`, the first at `top`
 * pixels in a body of `height` pixels.
 */
export interface VisibleRows {
  readonly first: number
  readonly end: number
  readonly top: number
  readonly height: number
}

export function visibleRows({ total, rowHeight, viewHeight, scrollTop }: ScrollPosition): VisibleRows {
  const wanted = total * rowHeight
  const height = Math.min(wanted, HEIGHT_MAX)
  const atMost = Math.max(0, height - viewHeight)
  const at = Math.min(Math.max(0, scrollTop), atMost)
  const scale = atMost === 0 ? 1 : (wanted - viewHeight) / atMost
  const position = at * scale
  const first = Math.max(0, Math.floor(position / rowHeight) - OVERSCAN_ROWS)
  const end = Math.min(total, Math.ceil((position + viewHeight) / rowHeight) + OVERSCAN_ROWS)
  return { first, end, top: at + first * rowHeight - position, height }
}

/** The scrollTop that brings a row into view; unchanged if it is visible already. */
export function scrollTopOf(
  row: number,
  { total, rowHeight, viewHeight, scrollTop }: ScrollPosition,
): number {
  const wanted = total * rowHeight
  const height = Math.min(wanted, HEIGHT_MAX)
  const scale = height <= viewHeight ? 1 : (wanted - viewHeight) / (height - viewHeight)
  const position = scrollTop * scale
  const top = row * rowHeight
  if (top < position) return top / scale
  if (top + rowHeight > position + viewHeight) return (top + rowHeight - viewHeight) / scale
  return scrollTop
}
