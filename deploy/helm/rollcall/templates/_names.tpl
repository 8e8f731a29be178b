{{- define "rollcall.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "rollcall.labels" -}}
app.kubernetes.io/name: rollcall
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "rollcall.selector" -}}
app.kubernetes.io/name: rollcall
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rollcall.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
# lets ping ask without rights of its own
sysctls:
  - name: net.ipv4.ping_group_range
    value: 0 2147483647
{{- end -}}

{{- define "rollcall.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}
