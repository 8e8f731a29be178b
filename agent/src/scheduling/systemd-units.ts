import type { ScheduledProgram } from './scheduled-program.ts'

export const SERVICE = 'rollcall-agent.service'
export const TIMER = 'rollcall-agent.timer'

/**
 * A oneshot service of root in a sandbox: serial number and SMBIOS UUID may be read by root alone. It writes nothing but its
 * state.
 */
export const serviceUnit = ({ command, stateFolder }: ScheduledProgram): string => `[Unit]
Description=Rollcall agent: reports what this host is and has
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart=${[...command, 'run'].map(quoted).join(' ')}
TimeoutStartSec=5min
ReadWritePaths=${quoted(stateFolder)}
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
RestrictSUIDSGID=yes
MemoryMax=160M
CPUQuota=20%
Nice=10
IOSchedulingClass=idle
`

/** The agent ends at once when it is not yet time to report, so that a failed report is soon repeated. */
export const timerUnit = (): string => `[Unit]
Description=Rollcall agent: asks every five minutes whether it is time to report

[Timer]
OnBootSec=2min
OnUnitInactiveSec=5min
RandomizedDelaySec=60
AccuracySec=30

[Install]
WantedBy=timers.target
`

/** For hosts without systemd: cron(8) of Debian, Red Hat and SUSE reads /etc/cron.d. */
export const cronTable = ({ command }: ScheduledProgram): string =>
  `# Rollcall agent: asks every five minutes whether it is time to report
*/5 * * * * root ${[...command, 'run'].map(shellQuoted).join(' ')} >/dev/null 2>&1
`

/** systemd.syntax(7) and systemd.service(5): `%` begins a specifier, `$` a variable. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')}"`

/** In a crontab `%` ends the command unless a backslash stands before it. */
const shellQuoted = (text: string): string =>
  `'${text.replaceAll("'", String.raw`'\''`).replaceAll('%', String.raw`\%`)}'`
