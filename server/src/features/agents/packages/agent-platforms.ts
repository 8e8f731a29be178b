import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** `any` comes without Node: for hosts that have one, and for platforms whose Node this server does not have. */
export const agentPlatforms = ['linux-x64', 'linux-arm64', 'any'] as const
export type AgentPlatform = (typeof agentPlatforms)[number]

/** What `uname -m` prints, so that one line installs the agent on either. */
const machines: Readonly<Record<string, AgentPlatform>> = {
  'linux-x86_64': 'linux-x64',
  'linux-aarch64': 'linux-arm64',
}

export const platformNamed = (text: string): AgentPlatform | undefined =>
  agentPlatforms.find((it) => it === text) ?? (Object.hasOwn(machines, text) ? machines[text] : undefined)

export interface NodeOfPlatform {
  readonly program: string
  readonly licence: string
}

/** The npm package that brings the Node of a platform. */
export const nodePackageOf = (platform: AgentPlatform): string => `node-${platform}`

/** Files of Node for a platform, where npm has installed them; undefined where it has not. */
export function nodeOf(platform: AgentPlatform): NodeOfPlatform | undefined {
  if (platform === 'any') return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${nodePackageOf(platform)}/package.json`))
    return { program: join(folder, 'bin/node'), licence: join(folder, 'LICENSE') }
  } catch {
    return undefined
  }
}

/** Platforms whose archive this server can make now. */
export const servedPlatforms = (): AgentPlatform[] =>
  agentPlatforms.filter((it) => it === 'any' || nodeOf(it) !== undefined)
