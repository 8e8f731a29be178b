import { plainText } from './plain-text.ts'

/** Lines before the identification are allowed (RFC 4253, 4.2); some servers warn there. */
const LINES_MAX = 20

/** The identification of an SSH server: `SSH-2.0-OpenSSH_9.2p1 Debian-2`. */
export function sshBanner(received: Buffer): string | undefined {
  const line = lines(received).find((it) => it.startsWith('SSH-'))
  return line && plainText(line, 255)
}

export const isSshBanner = (received: Buffer): boolean => /^SSH-[^\n]*\n/m.test(received.toString('latin1'))

/** The greeting of an FTP server (RFC 959, 5.4), all its lines without their codes. */
export function ftpGreeting(received: Buffer): string | undefined {
  const greeting = lines(received).filter((it) => /^2\d\d[ -]/.test(it))
  return plainText(greeting.map((it) => it.slice(4)).join(' '))
}

export const isFtpGreeting = (received: Buffer): boolean =>
  /^2\d\d [^\n]*\n/m.test(received.toString('latin1'))

const lines = (received: Buffer): string[] => received.toString('latin1').split(/\r?\n/, LINES_MAX)

/** Ports at which the server speaks first, and whether it has said all of that. */
export const isGreetedAt: ReadonlyMap<number, (received: Buffer) => boolean> = new Map([
  [22, isSshBanner],
  [21, isFtpGreeting],
])
