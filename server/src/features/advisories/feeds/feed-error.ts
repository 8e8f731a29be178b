/** Invalid data of a feed; the message names the place, for the administrator. */
export class FeedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FeedError'
  }
}
