import type { Instruction, Proposed } from '../connector.ts'
import { AWS_AUDIENCE } from './aws-sign-in.ts'

const READ_ACTIONS = [
  'ec2:DescribeRegions',
  'ec2:DescribeInstances',
  'rds:DescribeDBInstances',
  'rds:DescribeDBClusters',
  'rds:ListTagsForResource',
  's3:ListAllMyBuckets',
  'eks:ListClusters',
  'eks:DescribeCluster',
  'eks:ListNodegroups',
  'eks:DescribeNodegroup',
  'lambda:ListFunctions',
  'lambda:ListTags',
  'tag:GetResources',
]

/** What is done at AWS before a connection is made; `ACCOUNT` is the id of the account that is signed in to. */
export function awsInstructions(signIn: string, proposed: Proposed): Instruction[] {
  const read = { Effect: 'Allow', Action: READ_ACTIONS, Resource: '*' }
  return [
    { title: 'Permissions, as policy.json', text: policy([read]) },
    ...firstRole(signIn, proposed),
    ...forOtherAccounts(signIn, proposed),
  ]
}

function firstRole(signIn: string, proposed: Proposed): readonly Instruction[] {
  if (signIn === 'web_identity') return forWebIdentity(proposed)
  return signIn === 'access_key' ? forUser : forInstance
}

const forInstance: readonly Instruction[] = [
  {
    title: 'Trust in machines, as trust.json',
    text: policy([
      { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
    ]),
  },
  {
    title: 'Role of the machine; INSTANCE is its id',
    text: lines(
      'aws iam create-role --role-name rollcall --assume-role-policy-document file://trust.json',
      'aws iam put-role-policy --role-name rollcall --policy-name rollcall --policy-document file://policy.json',
      'aws iam create-instance-profile --instance-profile-name rollcall',
      'aws iam add-role-to-instance-profile --instance-profile-name rollcall --role-name rollcall',
      'aws ec2 associate-iam-instance-profile --instance-id INSTANCE --iam-instance-profile Name=rollcall',
    ),
  },
]

const forUser: readonly Instruction[] = [
  {
    title: 'A user that may do nothing else',
    text: lines(
      'aws iam create-user --user-name rollcall',
      'aws iam put-user-policy --user-name rollcall --policy-name rollcall --policy-document file://policy.json',
      'aws iam create-access-key --user-name rollcall',
    ),
  },
]

function forWebIdentity({ issuer, subject }: Proposed): Instruction[] {
  const name = issuer.replace(/^https?:\/\//, '')
  const trust = {
    Effect: 'Allow',
    Principal: { Federated: `arn:aws:iam::ACCOUNT:oidc-provider/${name}` },
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: { StringEquals: { [`${name}:aud`]: AWS_AUDIENCE, [`${name}:sub`]: subject } },
  }
  return [
    { title: 'Trust in this connection alone, as trust.json', text: policy([trust]) },
    {
      title: 'Identity provider and role',
      text: lines(
        `aws iam create-open-id-connect-provider --url ${issuer} --client-id-list ${AWS_AUDIENCE}`,
        'aws iam create-role --role-name rollcall --assume-role-policy-document file://trust.json',
        'aws iam put-role-policy --role-name rollcall --policy-name rollcall --policy-document file://policy.json',
      ),
    },
  ]
}

function forOtherAccounts(signIn: string, { externalId }: Proposed): Instruction[] {
  const self = signIn === 'access_key' ? 'user/rollcall' : 'role/rollcall'
  const trust = {
    Effect: 'Allow',
    Principal: { AWS: `arn:aws:iam::ACCOUNT:${self}` },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  }
  const more = [
    { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: 'arn:aws:iam::*:role/rollcall-reader' },
    { Effect: 'Allow', Action: 'organizations:ListAccounts', Resource: '*' },
  ]
  return [
    { title: 'For other accounts: added to policy.json', text: policy(more) },
    { title: 'For other accounts: trust of the role there, as reader-trust.json', text: policy([trust]) },
    {
      title: 'For other accounts: the role, in each of them',
      text: lines(
        'aws iam create-role --role-name rollcall-reader --assume-role-policy-document file://reader-trust.json',
        'aws iam put-role-policy --role-name rollcall-reader --policy-name rollcall --policy-document file://policy.json',
      ),
    },
  ]
}

function policy(Statement: readonly object[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement }, null, 2)
}

function lines(...all: string[]): string {
  return all.join('\n')
}
