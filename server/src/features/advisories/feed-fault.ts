/** A file that is not what its feed should be: the message says where, in words for the administrator. */
export class FeedFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FeedFault'
  }
}

/** What a broken record is called, as far as it can be seen. */
export const idIn = (bytes: Buffer): string =>
  /"(?:id|cveId|cveID|name)"\s*:\s*"([\w:.-]{1,60})"/.exec(
    bytes.subarray(0, 4_096).toString('latin1'),
  )?.[1] ?? ''
