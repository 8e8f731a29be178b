import type { Command, CommandInput } from '#platform/cli/command.ts'
import { inviteAs } from './members/invitations.ts'
import { issueReset } from './accounts/password-reset.ts'
import { listUsers } from './members/members.ts'
import type { Member } from './members/member.ts'
import { listRoles } from './roles/roles.ts'
import { allowTenants } from './tenants/own-tenants.ts'
import type { Role } from './roles/role.ts'

export const userCommands: readonly Command[] = [
  {
    path: 'user list',
    tenant: true,
    help: 'the users of the tenant, by e-mail address',
    async run(ctx) {
      const members = await listUsers(ctx)
      return { json: members, text: members.map(toLine).join('\n') }
    },
  },
  {
    path: 'user invite',
    args: ['email'],
    tenant: true,
    options: { role: { value: 'NAME', help: 'role in the tenant, see role list; viewer unless given' } },
    help: 'prints an invitation link, which can be used once, within seven days',
    async run(ctx, input) {
      const { role = 'viewer' } = input.options
      const { id, email, token } = await inviteAs(ctx, input.args['email'] ?? '', String(role))
      const link = linkOf(input, `/invitation#${token}`)
      return {
        json: { id, email, link },
        text: `Give this to ${email}; it works once, for seven days:\n\n${link}`,
      }
    },
  },
  {
    path: 'user reset-password',
    args: ['email'],
    options: {
      'remove-second-factor': { flag: true, help: 'remove the second factor as well, if it is lost too' },
    },
    help: 'prints a link to set a new password, which can be used once, within an hour',
    async run(system, input) {
      const isBare = input.options['remove-second-factor'] === true
      const { email, token } = await issueReset(system, input.args['email'] ?? '', isBare)
      const link = linkOf(input, `/reset-password#${token}`)
      return { json: { email, link }, text: `Give this to ${email}; it works once, for one hour:\n\n${link}` }
    },
  },
  {
    path: 'user allow-tenants',
    args: ['email'],
    options: { no: { flag: true, help: 'no longer' } },
    help: 'lets a person make organisations of their own in the app',
    async run(system, { args, options }) {
      const email = args['email'] ?? ''
      const isAllowed = options.no !== true
      await allowTenants(system, email, isAllowed)
      return {
        json: { email, isAllowed },
        text: `${email} may ${isAllowed ? 'make organisations' : 'make no organisations any more'}.`,
      }
    },
  },
  {
    path: 'role list',
    tenant: true,
    help: 'the roles of the tenant and their permissions',
    async run(ctx) {
      const roles = await listRoles(ctx)
      return { json: roles, text: roles.map(toRoleLine).join('\n') }
    },
  },
]

/** The token is in the fragment (#), which browsers do not send to servers, so it appears in no log. */
const linkOf = ({ site = '' }: CommandInput, path: string): string => site + path

const toLine = ({ id, email, role, lastSignedInAt }: Member): string =>
  `${id}  ${email}  ${role.name}  ${lastSignedInAt ? `signed in ${lastSignedInAt}` : 'never signed in'}`

const toRoleLine = ({ id, name, permissions, members }: Role): string =>
  `${id}  ${name}  ${members} ${members === 1 ? 'person' : 'people'}  ${permissions.join(',')}`
