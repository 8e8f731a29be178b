import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a TLS server of a test shows, and the authority that signed it, PEM. */
export interface TlsCertificate {
  readonly ca: string
  readonly key: string
  readonly cert: string
}

/** A certificate of an authority of its own, for `name`, good for `days`. Needs `openssl`. */
export function tlsCertificateFor(name: string, days: number): TlsCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-tls-'))
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'ignore' })
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  try {
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
    openssl(`req -x509 ${key} -keyout ca.key -out ca.pem -days 9 -subj /CN=authority`)
    openssl(`req ${key} -keyout key.pem -out request.pem -subj /CN=x -addext subjectAltName=DNS:${name}`)
    openssl(
      `x509 -req -in request.pem -CA ca.pem -CAkey ca.key -out cert.pem -days ${days} -copy_extensions copy`,
    )
    return { ca: read('ca.pem'), key: read('key.pem'), cert: read('cert.pem') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
