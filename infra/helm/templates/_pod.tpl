{{- define "hexcast.name" -}}
{{- if contains "hexcast" .Release.Name -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- else -}}{{ printf "%s-hexcast" .Release.Name | trunc 50 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{- define "hexcast.selector" -}}
app.kubernetes.io/name: hexcast
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "hexcast.labels" -}}
{{ include "hexcast.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "hexcast.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "hexcast.name" .) -}}
{{- end -}}

{{- define "hexcast.image" -}}
{{- if .Values.image.digest -}}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{- else -}}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{- end -}}
{{- end -}}

{{/* Settings and secrets of one process, as JSON: its own go before the common ones, whichever form they have. */}}
{{- define "hexcast.configuration" -}}
{{- $own := .own -}}
{{- $settings := dict -}}
{{- $secrets := dict -}}
{{- range $name, $value := .root.Values.settings -}}
{{- if not (hasKey ($own.secrets | default dict) $name) -}}{{- $_ := set $settings $name $value -}}{{- end -}}
{{- end -}}
{{- range $name, $from := .root.Values.secrets -}}
{{- if not (hasKey ($own.settings | default dict) $name) -}}{{- $_ := set $secrets $name $from -}}{{- end -}}
{{- end -}}
{{- range $name, $value := $own.settings -}}{{- $_ := set $settings $name $value -}}{{- end -}}
{{- range $name, $from := $own.secrets -}}{{- $_ := set $secrets $name $from -}}{{- end -}}
{{- range $name, $value := $settings -}}
{{- if and (regexMatch "SECRET|TOKEN|API_KEY|PASSWORD" $name) (not (hasSuffix "_FILE" $name)) -}}
{{- fail (printf "settings.%s is a secret: put it into a Secret and name that in secrets.%s" $name $name) -}}
{{- end -}}
{{- if and (regexMatch "://[^/@]*:[^/@]*@" (toString $value)) -}}
{{- fail (printf "settings.%s has a password: put it into a Secret and name that in secrets.%s" $name $name) -}}
{{- end -}}
{{- if hasKey $secrets $name -}}{{- fail (printf "%s is in settings and in secrets: remove one of them" $name) -}}{{- end -}}
{{- end -}}
{{- range $name := list "OBJECTS_URL" "KAFKA_BROKERS" "TEMPORAL_ADDRESS" -}}
{{- if not (get $settings $name) -}}{{- fail (printf "settings.%s is required: pods have no lasting disk, so the engines must run elsewhere" $name) -}}{{- end -}}
{{- end -}}
{{- if not (or (hasKey $secrets "DATABASE_URL") (get $settings "DATABASE_URL")) -}}{{- fail "secrets.DATABASE_URL is required: pods have no lasting disk, so the database must run elsewhere" -}}{{- end -}}
{{- if and (eq (toString (get $settings "UPSTREAM")) "live") (not (get $settings "CONTACT")) -}}{{- fail "settings.CONTACT is required with UPSTREAM: live: NOAA asks for the address of the operator; none sends no address" -}}{{- end -}}
{{- dict "settings" $settings "secrets" $secrets | toJson -}}
{{- end -}}

{{- define "hexcast.env" -}}
{{- $configuration := include "hexcast.configuration" . | fromJson -}}
{{- range $name, $value := $configuration.settings }}
{{- if not (hasKey $.fixed $name) }}
- name: {{ $name }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- range $name, $_ := $configuration.secrets }}
- name: {{ $name }}_FILE
  value: /run/secrets/hexcast/{{ $name }}
{{- end }}
{{- range $name, $value := .fixed }}
- name: {{ $name }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end -}}

{{- define "hexcast.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "hexcast.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "hexcast.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets/hexcast, readOnly: true }
{{- end -}}

{{- define "hexcast.volumes" -}}
{{- $configuration := include "hexcast.configuration" . | fromJson -}}
- name: data
  emptyDir: { sizeLimit: {{ .dataSize | quote }} }
- name: tmp
  emptyDir: { sizeLimit: 1Gi }
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $name, $from := $configuration.secrets }}
      - secret: { name: {{ $from.secret | quote }}, items: [{ key: {{ $from.key | quote }}, path: {{ $name | quote }} }] }
      {{- end }}
      {{- range $name, $from := .root.Values.files }}
      - secret: { name: {{ $from.secret | quote }}, items: [{ key: {{ $from.key | quote }}, path: {{ printf "files/%s" $name | quote }} }] }
      {{- end }}
{{- end -}}

{{- define "hexcast.placement" -}}
{{- with .own.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .own.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .own.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: {{ include "hexcast.selector" $ | fromYaml | toJson }} }
  {{- end }}
{{- end -}}
