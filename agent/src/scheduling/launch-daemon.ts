import type { ScheduledProgram } from './scheduled-program.ts'

export const LABEL = 'rollcall-agent'
export const PLIST = `/Library/LaunchDaemons/${LABEL}.plist`

const SECONDS = 300

/** launchd.plist(5): a daemon of root that is started every five minutes and ends at once when it is not yet time. */
export const launchDaemon = ({ command }: ScheduledProgram): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${[...command, 'run'].map((it) => `    <string>${escaped(it)}</string>`).join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>StartInterval</key>
  <integer>${SECONDS}</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>LowPriorityIO</key>
  <true/>
</dict>
</plist>
`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
