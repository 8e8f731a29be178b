import type { Algorithms, NegotiatedAlgorithms } from './ssh2-library.ts'

/** What devices of before 2014 need, offered last, so that only those get it that know nothing better. */
const offered: Algorithms = {
  kex: {
    append: [
      'diffie-hellman-group14-sha1',
      'diffie-hellman-group-exchange-sha1',
      'diffie-hellman-group1-sha1',
    ],
    prepend: [],
    remove: [],
  },
  cipher: { append: ['aes256-cbc', 'aes192-cbc', 'aes128-cbc', '3des-cbc'], prepend: [], remove: [] },
  hmac: { append: ['hmac-sha1-96', 'hmac-md5'], prepend: [], remove: [] },
}

/** Algorithms of keys that the host is known by come first: it may have others, which would be strangers here. */
export function offeredTo(known: readonly string[] = []): Algorithms {
  const first = known.flatMap((name) => KEY_ALGORITHMS[name] ?? [])
  return { ...offered, serverHostKey: [...new Set([...first, ...Object.values(KEY_ALGORITHMS).flat()])] }
}

type KeyAlgorithm =
  | 'ssh-ed25519'
  | 'ecdsa-sha2-nistp256'
  | 'ecdsa-sha2-nistp384'
  | 'ecdsa-sha2-nistp521'
  | RsaAlgorithm
type RsaAlgorithm = 'rsa-sha2-512' | 'rsa-sha2-256' | 'ssh-rsa' | 'ssh-dss'

/** Ways to sign, by form of key (RFC 8332). */
const KEY_ALGORITHMS: Readonly<Record<string, readonly KeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
  'ssh-dss': ['ssh-dss'],
}

const WEAK = /sha1$|^ssh-dss$|^ssh-rsa$|-cbc$|hmac-sha1|hmac-md5/

/** Those in use that should not be any more; `ssh-rsa` is RSA with SHA-1 here, not the form of the key. */
export function weakOf({ kex, serverHostKey, cs, sc }: NegotiatedAlgorithms): readonly string[] {
  const used = [kex, serverHostKey, cs.cipher, sc.cipher, cs.mac, sc.mac]
  return [...new Set(used.filter((name) => name !== '' && WEAK.test(name)))].toSorted()
}
