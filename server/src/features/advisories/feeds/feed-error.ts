/** A file that is not what its feed should be: the message says where, in words for the administrator. */
export class FeedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FeedError'
  }
}
