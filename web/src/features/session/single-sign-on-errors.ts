/** Error messages of single sign-on, by the code in the redirect of the server. */
const PROBLEMS: Readonly<Record<string, string>> = {
  sign_on_ended: 'That took too long, or it began in another window. Begin again.',
  sign_on_refused: 'Your organisation did not confirm who you are. Begin again, or ask its administrator.',
  provider_unreachable: 'The sign-in of your organisation does not answer. Try again in a while.',
  not_a_member: 'You were removed from the organisation. Ask its administrator.',
  email_not_verified: 'Your organisation has not verified your email address. Ask its administrator.',
  email_of_others: 'Your email address is none that your organisation may speak for. Ask its administrator.',
  email_taken:
    'Your email address belongs to another identity of the same organisation. Ask its administrator.',
  rate_limited: 'Too many tries. Wait a moment, then begin again.',
}

/** The message of a code, with a default for unknown codes; undefined without code. */
export function singleSignOnErrorText(code: string | undefined): string | undefined {
  if (code === undefined) return undefined
  return Object.hasOwn(PROBLEMS, code)
    ? PROBLEMS[code]
    : 'The sign-in through your organisation did not work. Begin again.'
}
