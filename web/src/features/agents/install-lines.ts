export const agentChoices = [
  { value: 'linux', label: 'Linux' },
  { value: 'node', label: 'macOS' },
  { value: 'windows', label: 'Windows' },
  { value: 'other', label: 'Other' },
] as const
export type AgentChoice = (typeof agentChoices)[number]['value']

/** A line that is copied to a host, and what it does. */
export interface InstallLine {
  readonly does: string
  readonly text: string
}

/**
 * What a person types on a host. `site` is the address of this server as the host reaches it, without a slash at the end;
 * `secret` is the token.
 */
export function installLines(choice: AgentChoice, site: string, secret: string): readonly InstallLine[] {
  if (choice === 'other') return [{ does: 'The server address of the agent', text: `${site}/t/${secret}` }]
  if (choice === 'windows') return windowsLines(site, secret)
  const platform = choice === 'linux' ? 'linux-$(uname -m)' : 'any'
  const agent = 'sudo /opt/rollcall-agent/rollcall-agent'
  return [
    {
      does:
        choice === 'linux' ? 'Unpack the agent and its own Node' : 'Unpack the agent; Node 20 must be there',
      text: `curl -fsS "${site}/agent/download/${platform}" | sudo tar -xz -C /opt`,
    },
    { does: 'Make a key for this host and send the first report', text: `${agent} enrol ${site} ${secret}` },
    { does: 'Report every quarter of an hour from now on', text: `${agent} install` },
  ]
}

/** For a PowerShell of an administrator, with Node in the path. curl and tar come with Windows. */
function windowsLines(site: string, secret: string): readonly InstallLine[] {
  const agent = 'node "$env:ProgramFiles\\rollcall-agent\\lib\\bin\\rollcall-agent.mjs"'
  const archive = '"$env:TEMP\\agent.tgz"'
  return [
    {
      does: 'Unpack the agent; Node 20 must be there',
      text: `curl.exe -fsSo ${archive} "${site}/agent/download/any"; tar.exe -xzf ${archive} -C "$env:ProgramFiles"`,
    },
    {
      does: 'Report every quarter of an hour from now on, and keep the key from other accounts',
      text: `${agent} install`,
    },
    { does: 'Make a key for this host and send the first report', text: `${agent} enrol ${site} ${secret}` },
  ]
}

/** Over plain http an agent sends its token from the server's own machine alone. */
export const needsHttps = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  protocol !== 'https:' && !/^(localhost|127\.|\[::1\])/.test(hostname)
