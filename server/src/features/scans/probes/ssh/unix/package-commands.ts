import type { Question } from './command.ts'

/**
 * What is installed, as each package manager tells it without writing, without root and without the network. `exit 3`:
 * this system has no such manager. Only what ends with 0 was read to its end.
 */
export const packageQuestions: readonly Question[] = [
  {
    name: 'packages-dpkg',
    command:
      // oxlint-disable-next-line no-template-curly-in-string -- the fields of dpkg-query
      "has dpkg-query || exit 3; $T dpkg-query -W -f='${db:Status-Abbrev}\\t${Package}\\t${Version}\\t${Architecture}\\t${source:Package}\\t${source:Version}\\n'",
  },
  {
    name: 'packages-rpm',
    command: String.raw`has rpm || exit 3
$T rpm -qa --qf '%{NAME}\t%{EPOCH}\t%{VERSION}-%{RELEASE}\t%{ARCH}\t%{SOURCERPM}\t%{INSTALLTIME}\t%{VENDOR}\n'`,
  },
  {
    name: 'packages-apk',
    command: `for f in /usr/lib/apk/db/installed /lib/apk/db/installed; do
[ -r $f ] || continue
grep -E '^([PVAot]:|$)' $f; exit $?
done; exit 3`,
  },
  {
    name: 'packages-pacman',
    command: `[ -d /var/lib/pacman/local ] || exit 3
$T grep -rhE -A1 --include=desc '^%(NAME|VERSION|BASE|ARCH|INSTALLDATE)%$' /var/lib/pacman/local`,
  },
  {
    name: 'packages-brew',
    // the folders: brew itself may fetch news and writes its caches
    command: `n=3
for p in /opt/homebrew /usr/local /home/linuxbrew/.linuxbrew; do
[ -d $p/Cellar ] || continue
n=0
for k in Cellar Caskroom; do for d in $p/$k/*/*; do [ -d "$d" ] && printf '%s\\n' "$d"; done; done
done; exit $n`,
  },
  { name: 'packages-snap', command: 'has snap || exit 3; $T snap list --color=never --unicode=never' },
  {
    name: 'packages-flatpak',
    command: 'has flatpak || exit 3; $T flatpak list --columns=application,version,arch,installation,origin',
  },
  {
    name: 'packages-pkg',
    command: String.raw`case $S in
FreeBSD|DragonFly) has pkg && pkg -N >/dev/null || exit 3; $T pkg query -a '%n\t%v\t%q\t%o\t%t';;
OpenBSD|NetBSD|SunOS) has pkg_info || exit 3; $T pkg_info;;
*) exit 3;;
esac`,
  },
  {
    name: 'packages-macos',
    command: String.raw`[ "$S" = Darwin ] || exit 3
for a in /Applications/*.app /Applications/*/*.app /System/Applications/*.app "$HOME"/Applications/*.app; do
[ -r "$a/Contents/Info.plist" ] || continue
v=$(defaults read "$a/Contents/Info" CFBundleShortVersionString) || v=
i=$(defaults read "$a/Contents/Info" CFBundleIdentifier) || i=
printf '%s\t%s\t%s\n' "$a" "$v" "$i"
done; exit 0`,
  },
]
