import type { Instruction, Proposed } from '../connector.ts'

const ACCOUNT = 'rollcall@PROJECT.iam.gserviceaccount.com'

/**
 * What is done at Google Cloud before a connection is made. `PROJECT` is the project of the service account, `NUMBER` its
 * number, `ORGANIZATION` the number of the organisation that is read.
 */
export function googleInstructions(signIn: string, { issuer, subject }: Proposed): Instruction[] {
  const grant = (role: string) =>
    `gcloud organizations add-iam-policy-binding ORGANIZATION --member=serviceAccount:${ACCOUNT} --role=${role} --condition=None`
  return [
    {
      title: 'Service account and APIs',
      text: [
        'gcloud iam service-accounts create rollcall --project=PROJECT',
        'gcloud services enable cloudasset.googleapis.com cloudresourcemanager.googleapis.com sts.googleapis.com iamcredentials.googleapis.com --project=PROJECT',
      ].join('\n'),
    },
    {
      title: 'Permissions in the organisation',
      text: ['roles/cloudasset.viewer', 'roles/browser', 'roles/serviceusage.serviceUsageConsumer']
        .map(grant)
        .join('\n'),
    },
    ...(signIn === 'workload_identity' ? forWorkloadIdentity(issuer, subject) : []),
    ...(signIn === 'service_account_key' ? forKey : []),
    ...(signIn === 'metadata_server' ? forMachine : []),
  ]
}

const forKey: readonly Instruction[] = [
  { title: 'Key file', text: `gcloud iam service-accounts keys create key.json --iam-account=${ACCOUNT}` },
]

const forMachine: readonly Instruction[] = [
  {
    title: 'Service account of the machine, which is stopped for it',
    text: `gcloud compute instances set-service-account MACHINE --project=PROJECT --service-account=${ACCOUNT} --scopes=cloud-platform`,
  },
]

const forWorkloadIdentity = (issuer: string, subject: string): Instruction[] => [
  {
    title: 'Keys of this installation; Google takes them by upload, so it need not reach this server',
    text: `curl -fsSo jwks.json ${issuer}/jwks`,
  },
  {
    title: 'Workload identity pool with this installation as its provider',
    text: [
      'gcloud iam workload-identity-pools create rollcall --location=global --project=PROJECT',
      `gcloud iam workload-identity-pools providers create-oidc rollcall --location=global --project=PROJECT --workload-identity-pool=rollcall --issuer-uri=${issuer} --attribute-mapping=google.subject=assertion.sub --jwk-json-path=jwks.json`,
    ].join('\n'),
  },
  {
    title: 'The service account, for this connection alone',
    text: `gcloud iam service-accounts add-iam-policy-binding ${ACCOUNT} --project=PROJECT --role=roles/iam.workloadIdentityUser --member=principal://iam.googleapis.com/projects/NUMBER/locations/global/workloadIdentityPools/rollcall/subject/${subject}`,
  },
]
