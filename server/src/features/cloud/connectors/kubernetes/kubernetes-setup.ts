import type { Instruction } from '../connector.ts'

const ROLE = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: rollcall-reader }
rules:
  - { apiGroups: [""], resources: [nodes, pods, namespaces], verbs: [get, list] }
  - { apiGroups: [apps], resources: [deployments, statefulsets, daemonsets], verbs: [get, list] }
  - { apiGroups: [batch], resources: [cronjobs], verbs: [get, list] }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: rollcall, namespace: kube-system }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: rollcall-reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: rollcall-reader }
subjects: [{ kind: ServiceAccount, name: rollcall, namespace: kube-system }]
---
apiVersion: v1
kind: Secret
type: kubernetes.io/service-account-token
metadata:
  name: rollcall
  namespace: kube-system
  annotations: { kubernetes.io/service-account.name: rollcall }`

/** What is done in the cluster before a connection is made. */
export const kubernetesInstructions = (): Instruction[] => [
  { title: 'An account that may list and nothing else, as rollcall.yaml', text: ROLE },
  { title: 'It is made', text: 'kubectl apply -f rollcall.yaml' },
  {
    title: 'Address of the API server, certificate authority and token',
    text: [
      "kubectl config view --minify --output jsonpath='{.clusters[0].cluster.server}'",
      "kubectl get secret rollcall -n kube-system --output jsonpath='{.data.ca\\.crt}' | base64 -d",
      "kubectl get secret rollcall -n kube-system --output jsonpath='{.data.token}' | base64 -d",
    ].join('\n'),
  },
]
