import { given, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import { inviteUser, listInvitations, revokeInvitation } from './members/invitations.ts'
import type { Invitation, IssuedInvitation } from './members/invitation.ts'
import { listUsers, removeUser, setUserRole } from './members/members.ts'
import type { Member } from './members/member.ts'
import { addOverviewLayout } from './members/graphql-overview-layout.ts'
import { allPermissions } from './roles/permissions.ts'
import { createRole, deleteRole, listRoles, updateRole } from './roles/roles.ts'
import type { Role } from './roles/role.ts'
import { deleteSignOn, getSignOn, setSignOn } from './single-sign-on/oidc-settings.ts'
import type { SignOn } from './single-sign-on/oidc-provider.ts'
import { renameTenant } from './tenancy.ts'
import type { Tenant } from './tenant.ts'

type RoleOf = Member['role']

export function graphql(schema: Schema): void {
  const roleName = schema.objectRef<RoleOf>('RoleName').implement({
    fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
  })
  addUsers(schema, roleName)
  addRoles(schema)
  addInvitations(schema, roleName)
  addSignOn(schema, roleName)
  addTenant(schema)
  addOverviewLayout(schema)
}

function addTenant(schema: Schema): void {
  const tenant = schema.objectRef<Tenant>('Tenant').implement({
    description: 'The organisation that the request names.',
    fields: (t) => ({
      id: t.exposeID('id'),
      slug: t.exposeString('slug', { description: 'Used in commands and links; it never changes.' }),
      name: t.exposeString('name'),
    }),
  })
  schema.mutationField('renameTenant', (t) =>
    t.field({
      type: tenant,
      args: { name: t.arg.string({ required: true }) },
      resolve: (_, { name }, ctx) => renameTenant(ctx, name),
    }),
  )
}

const byId = (schema: Schema) => schema.args((t) => ({ id: t.id({ required: true }) }))

function addUsers(schema: Schema, roleName: TypeOf<RoleOf>): void {
  const user = schema.objectRef<Member>('User').implement({
    description: 'A person who belongs to the organisation.',
    fields: (t) => ({
      id: t.exposeID('id'),
      email: t.exposeString('email'),
      name: t.exposeString('name'),
      role: t.expose('role', { type: roleName }),
      isManaged: t.exposeBoolean('isManaged', { description: 'Signs in with the identity provider alone.' }),
      hasSecondFactor: t.exposeBoolean('hasSecondFactor'),
      joinedAt: t.expose('joinedAt', { type: 'DateTime' }),
      lastSignedInAt: t.expose('lastSignedInAt', { type: 'DateTime', nullable: true }),
    }),
  })
  schema.queryField('users', (t) =>
    t.field({ type: [user], description: 'By address.', resolve: (_, __, ctx) => listUsers(ctx) }),
  )
  schema.mutationFields((t) => ({
    setUserRole: t.field({
      type: user,
      description: "Takes effect with the person's next request.",
      args: { userId: t.arg.id({ required: true }), roleId: t.arg.id({ required: true }) },
      resolve: (_, { userId, roleId }, ctx) => setUserRole(ctx, userId, roleId),
    }),
    removeUser: t.field({
      type: 'ID',
      description: 'The account remains, without access to this organisation.',
      args: { userId: t.arg.id({ required: true }) },
      resolve: (_, { userId }, ctx) => removeUser(ctx, userId).then(() => userId),
    }),
  }))
}

function addRoles(schema: Schema): void {
  const role = schema.objectRef<Role>('Role').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      isBuiltIn: t.exposeBoolean('isBuiltIn', { description: 'Built-in roles cannot be changed.' }),
      permissions: t.field({ type: ['String'], resolve: ({ permissions }) => permissions }),
      where: t.exposeString('where', {
        nullable: true,
        description: 'A condition: members see only assets for which it is true; null: all.',
      }),
      members: t.exposeInt('members', { description: 'Number of members with this role.' }),
    }),
  })
  schema.queryFields((t) => ({
    roles: t.field({ type: [role], resolve: (_, __, ctx) => listRoles(ctx) }),
    permissions: t.field({
      type: ['String'],
      description: 'All permissions that a role can have.',
      resolve: () => allPermissions,
    }),
  }))
  schema.mutationFields((t) => ({
    createRole: t.field({
      type: role,
      args: {
        name: t.arg.string({ required: true }),
        permissions: t.arg.stringList({ required: true }),
        where: t.arg.string({ description: 'A condition: members see only assets for which it is true.' }),
      },
      resolve: (_, input, ctx) => createRole(ctx, input),
    }),
    updateRole: t.field({
      type: role,
      args: {
        ...byId(schema),
        name: t.arg.string(),
        permissions: t.arg.stringList(),
        where: t.arg.string({ description: 'Empty: members see all assets.' }),
      },
      resolve: (_, { id, ...changes }, ctx) => updateRole(ctx, id, given(changes)),
    }),
    deleteRole: t.field({
      type: 'ID',
      args: byId(schema),
      resolve: (_, { id }, ctx) => deleteRole(ctx, id).then(() => id),
    }),
  }))
}

function addInvitations(schema: Schema, roleName: TypeOf<RoleOf>): void {
  const invitation = schema.objectRef<Invitation>('Invitation').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      email: t.exposeString('email'),
      role: t.expose('role', { type: roleName }),
      invitedBy: t.exposeString('invitedBy', { nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      isExpired: t.exposeBoolean('isExpired'),
    }),
  })
  const issued = schema.objectRef<IssuedInvitation>('IssuedInvitation').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      email: t.exposeString('email'),
      token: t.exposeString('token', { description: 'Part of the link /invitation#token; returned once.' }),
    }),
  })
  schema.queryField('invitations', (t) =>
    t.field({ type: [invitation], resolve: (_, __, ctx) => listInvitations(ctx) }),
  )
  schema.mutationFields((t) => ({
    inviteUser: t.field({
      type: issued,
      description: 'A second invitation of one address replaces the first.',
      args: { email: t.arg.string({ required: true }), roleId: t.arg.id({ required: true }) },
      resolve: (_, input, ctx) => inviteUser(ctx, input),
    }),
    revokeInvitation: t.field({
      type: 'ID',
      args: byId(schema),
      resolve: (_, { id }, ctx) => revokeInvitation(ctx, id).then(() => id),
    }),
  }))
}

function addSignOn(schema: Schema, roleName: TypeOf<RoleOf>): void {
  const signOn = schema.objectRef<SignOn>('SignOn').implement({
    description: 'The identity provider that people sign in through (OpenID Connect).',
    fields: (t) => ({
      issuer: t.exposeString('issuer'),
      clientId: t.exposeString('clientId'),
      role: t.expose('role', { type: roleName, description: 'The role of new members.' }),
      domains: t.field({
        type: ['String'],
        description: 'Accepted domains of e-mail addresses.',
        resolve: ({ domains }) => domains,
      }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  })
  schema.queryField('signOn', (t) =>
    t.field({ type: signOn, nullable: true, resolve: (_, __, ctx) => getSignOn(ctx) }),
  )
  schema.mutationFields((t) => ({
    setSignOn: t.field({
      type: signOn,
      description: 'Discovery is tried first. Without a secret the stored one stays.',
      args: {
        issuer: t.arg.string({ required: true }),
        clientId: t.arg.string({ required: true }),
        clientSecret: t.arg.string(),
        roleId: t.arg.id({ required: true }),
        domains: t.arg.stringList({ required: true }),
      },
      resolve: (_, { issuer, clientId, clientSecret, roleId, domains }, ctx) =>
        setSignOn(ctx, { issuer, clientId, roleId, domains, ...given({ clientSecret }) }),
    }),
    deleteSignOn: t.field({
      type: 'Boolean',
      description: 'Ends all sessions that the provider opened.',
      resolve: (_, __, ctx) => deleteSignOn(ctx).then(() => true),
    }),
  }))
}
