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
  const at = Math.min(Math.max(0, scrollTop), Math.max(0, height - viewHeight))
  const position = at * scaleOf({ total, rowHeight, viewHeight, scrollTop })
  const first = Math.max(0, Math.floor(position / rowHeight) - OVERSCAN_ROWS)
  const end = Math.min(total, Math.ceil((position + viewHeight) / rowHeight) + OVERSCAN_ROWS)
  return { first, end, top: at + first * rowHeight - position, height }
}

/** The scrollTop that brings a row into view; unchanged if it is visible already. */
export function scrollTopOf(row: number, at: ScrollPosition): number {
  const { rowHeight, viewHeight, scrollTop } = at
  const scale = scaleOf(at)
  const position = scrollTop * scale
  const top = row * rowHeight
  if (top < position) return top / scale
  if (top + rowHeight > position + viewHeight) return (top + rowHeight - viewHeight) / scale
  return scrollTop
}

/** The scrollTop at which the row is the first one in view. */
export const topOf = (row: number, at: ScrollPosition): number => (row * at.rowHeight) / scaleOf(at)

/** The first row that is in view as a whole. */
export const rowAtTop = (at: ScrollPosition): number =>
  Math.ceil(Math.floor(at.scrollTop * scaleOf(at)) / at.rowHeight)

/** Pixels of the list for each pixel that is scrolled. */
function scaleOf({ total, rowHeight, viewHeight }: ScrollPosition): number {
  const wanted = total * rowHeight
  const atMost = Math.min(wanted, HEIGHT_MAX) - viewHeight
  return atMost <= 0 ? 1 : (wanted - viewHeight) / atMost
}
