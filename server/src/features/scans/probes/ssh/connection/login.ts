import type { SshKey, SshPassword } from '../../credential-access.ts'
import { HostFailure } from './host-failure.ts'
import { readPrivateKey } from './private-keys.ts'
import type { AnyAuthMethod, AuthHandlerMiddleware, ClientType } from './ssh2-library.ts'

export type SshCredential = SshPassword | SshKey

/** How showing one credential to one host goes. */
export interface Login {
  readonly handler: AuthHandlerMiddleware
  /** The secret, or a signature by it, has left this machine. */
  shown: boolean
  /** What the host said against it, for people; without secrets. */
  why: string
}

/**
 * Shows a credential once, in the first way that the host offers and that fits. A password is typed at no prompt but
 * one for a password, so that it never becomes an answer to something else.
 */
export function loginWith(credential: SshCredential, client: ClientType): Login {
  const methods = methodsOf(credential, {
    shown: () => void (login.shown = true),
    giveUp: (why) => {
      login.why = why
      client.emit('error', new Error(why))
    },
  })
  let hasAsked = false
  const login: Login = {
    shown: false,
    why: 'refused',
    handler(left, isPartial, next) {
      const answer = next as (method: AnyAuthMethod | false) => void
      if (!hasAsked) {
        hasAsked = true // which ways there are is what a host answers to none
        return answer({ type: 'none', username: credential.username })
      }
      if (isPartial) login.why = 'asks for a second factor'
      if (isPartial || login.shown) return answer(false)
      const method = methods.find(({ type }) => left.includes(type))
      if (!method) login.why = `offers only ${left.slice(0, 5).join(', ') || 'nothing'}`
      else if (method.type !== 'keyboard-interactive') login.shown = true
      return answer(method ?? false)
    },
  }
  client.on('change password', () => {
    login.why = 'wants the password changed, because it has expired'
    client.emit('error', new Error(login.why))
  })
  return login
}

interface Hooks {
  readonly shown: () => void
  readonly giveUp: (why: string) => void
}

function methodsOf(credential: SshCredential, hooks: Hooks): readonly AnyAuthMethod[] {
  const { username } = credential
  if (credential.kind === 'ssh_key') return [{ type: 'publickey', username, key: keyOf(credential) }]
  const { password } = credential
  return [
    { type: 'password', username, password },
    { type: 'keyboard-interactive', username, prompt: typing(password, hooks) },
  ]
}

type Prompt = Extract<AnyAuthMethod, { readonly type: 'keyboard-interactive' }>['prompt']

function typing(password: string, { shown, giveUp }: Hooks): Prompt {
  let isTyped = false
  // what comes before are titles for people
  return (...[, , , prompts, answer]) => {
    const [prompt] = prompts
    const isPassword =
      prompts.length === 1 && !prompt?.echo && /pass(word|phrase)|kennwort/i.test(prompt?.prompt ?? '')
    if (!isPassword) return giveUp('asks for more than a password')
    if (isTyped) return giveUp('asks for the password again')
    isTyped = true
    shown()
    answer([password])
  }
}

function keyOf({ name, privateKey, passphrase }: SshKey) {
  const key = readPrivateKey(privateKey, passphrase)
  if (key) return key
  const hint = passphrase === undefined ? 'it may need a passphrase' : 'the passphrase may be wrong'
  throw new HostFailure('credential', `the private key of the credential ${name} cannot be read; ${hint}`)
}
