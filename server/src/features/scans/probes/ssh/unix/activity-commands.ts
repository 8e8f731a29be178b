import type { Question } from './command.ts'

/** What a machine does: services, open ports, accounts, containers. */
export const activityQuestions: readonly Question[] = [
  {
    name: 'services',
    command: `[ "$S" = Darwin ] && { echo manager=launchd; launchctl list; exit $?; }
[ -d /run/systemd/system ] && { echo manager=systemd; $T systemctl list-units --type=service --all --no-legend --no-pager --plain --full; exit $?; }
has rc-status && { echo manager=openrc; rc-status -a; exit $?; }
has rcctl && { echo manager=rcctl; rcctl ls started; exit $?; }
[ -d /etc/rc.d ] && has service && { echo manager=rc; service -e; exit $?; }
[ -d /etc/rc.d ] && [ -x /sbin/procd ] && { echo manager=procd; ls /etc/rc.d; exit $?; }
exit 3`,
  },
  {
    name: 'listening',
    command: `case $S in
Linux) has ss && { echo form=ss; $T ss -tuln && exit 0; }
has netstat && { echo form=netstat; $T netstat -tuln && exit 0; }
for f in tcp tcp6 udp udp6; do echo form=$f; cat /proc/net/$f; done;;
FreeBSD|DragonFly) echo form=sockstat; sockstat -46l;;
*) echo form=bsd; netstat -an -f inet; netstat -an -f inet6;;
esac; exit 0`,
  },
  {
    name: 'users',
    // name, number, group, home and shell: no hash and no real name leaves the host
    command: `case $S in
Darwin) dscl . -list /Users UniqueID;;
*) cut -d: -f1,3,4,6,7 /etc/passwd;;
esac`,
  },
  {
    name: 'containers-docker',
    command: String.raw`has docker || exit 3
[ -r /var/run/docker.sock ] && [ -w /var/run/docker.sock ] || exit 4
$T docker ps --no-trunc --format '{{.ID}}\t{{.Image}}\t{{.Names}}\t{{.Status}}\t{{.Ports}}'`,
  },
  {
    name: 'containers-podman',
    // of an account that has none, podman would make its folders
    command: String.raw`has podman || exit 3
[ "$(id -u)" = 0 ] || [ -d "$HOME/.local/share/containers/storage" ] || exit 4
$T podman ps --no-trunc --format '{{.ID}}\t{{.Image}}\t{{.Names}}\t{{.Status}}\t{{.Ports}}'`,
  },
]
