import { invalid } from '#platform/errors.ts'

/** NIST SP 800-63B-4 §3.1.1.2: at least 15 where the password is the only factor. */
const LENGTH_MIN = 15
/** Maximum length, which bounds the cost of hashing; the same section requires at least 64. */
export const PASSWORD_LENGTH_MAX = 1_024
/** Same section: common passwords, repetitions, sequences and the account name are not counted towards the length. */
const COMMON_PASSWORDS =
  /p[a4@]ss ?w[o0]r[dt]|pass ?phrase|qwert[yz]|uiop|asdf(ghjkl?)?|zxcv(bnm)?|let ?me ?in|welcome|admin(istrator)?|change ?me|secret|i ?love ?you|rollcall|abcdef(ghi)?|0?123456789?0?|0?9876543(21)?0?|12345|1234/g
const DIFFERENT_MIN = 5

/** Refuses a new password that is too weak, with the field's name; `email` is the address of the account. */
export function checkPasswordPolicy(field: string, password: string, email: string): void {
  if (password.length < LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX)
    throw invalid(field, `must have ${LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`)
  const rest = password.toLowerCase().replaceAll(email.toLowerCase(), '').replaceAll(COMMON_PASSWORDS, '')
  if (new Set(rest).size < DIFFERENT_MIN)
    throw invalid(field, 'is easy to guess: it is made of repetitions, common passwords or your address')
}
