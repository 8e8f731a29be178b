import type { Question } from './command.ts'

/**
 * Libraries of languages by the files that their installers leave, and the packages of the distribution that such files
 * belong to. Names of files, and of few of them a line or two, are read; nothing is run that they bring.
 */

/**
 * Where distributions, installers and administrators put libraries; no folders of people, and not those into which a
 * distribution puts jars: each costs a process, and all are its own.
 */
const FOLDERS = [
  '/usr/lib/python*',
  '/usr/lib64/python*',
  '/usr/lib/node_modules',
  '/usr/lib/ruby',
  '/usr/lib64/gems',
  '/usr/share/{nodejs,gems,ruby,rubygems-integration,php,tomcat*}',
  '/usr/local',
  '/var/lib/gems',
  '/var/lib/tomcat*',
  '/var/www',
  '/opt',
  '/srv',
  '/app',
].flatMap((it) => {
  const [, before = it, names = ''] = /^(.*)\{(.*)\}$/.exec(it) ?? []
  return names.split(',').map((name) => before + name)
})

const FILES_MAX = 20_000
const JARS_MAX = 300
/** Unpacked size of all that Maven wrote into one jar. */
const PROPERTIES_BYTES_MAX = 262_144

/**
 * Lines between the lists: behind the files, when all folders were gone through; before what belongs to packages, and
 * behind it, when all of that was told.
 */
export const MARKS = { walked: '=walked', owners: '=owners', end: '=end' } as const
/** Printed before the number of jars that were not looked into, because the host has no program that reads them. */
export const UNREAD_JARS = '=unread-jars '

const LISTED = [
  "-path '*.dist-info/METADATA'",
  "-path '*.egg-info/PKG-INFO'",
  "-name '*-*.egg-info'",
  "-path '*/node_modules/*/package.json'",
  "-path '/usr/share/nodejs/*/package.json'",
  "-path '*/specifications/*.gemspec'",
  "-path '*/vendor/composer/installed.json'",
  "-name '*.jar'",
].join(' -o ')

/** A package of its own, not a file of the same name within one. */
const NODE_PACKAGE = String.raw`(/node_modules|^/usr/share/nodejs)/(@[^/]+/)?[^/@]+/package\.json$`

const OWNED = String.raw`(\.(dist|egg)-info(/METADATA|/PKG-INFO)?|/package\.json|\.gemspec|\.jar|/composer/installed\.json)$`

/** 124 and more: it was ended before its end. */
const ENDED_BY_ITSELF = '[ $? -lt 124 ]'

// less than the other commands have: what is found is read after that, before the answer is given up; a line break in a
// name would make two lines of it, and so whatever whoever may write there wants
const find = String.raw`d=
for f in ${FOLDERS.join(' ')}; do [ -d "$f" ] && d="$d $f"; done
[ -n "$d" ] || exit 3
has nice && N='nice -n 19' || N=
F=; [ -n "$T" ] && F='timeout 20'
l=$({ $F $N find -H $d -xdev \( -name .git -o -name .cache -o -name '*
*' \) -prune -o -type f \( ${LISTED} \) -print
${ENDED_BY_ITSELF} && echo ${MARKS.walked}; } | head -n ${FILES_MAX})
of() { printf '%s\n' "$l" | grep -E "$1"; }`

const files = String.raw`of '(\.dist-info/METADATA|\.egg-info(/PKG-INFO)?|\.gemspec)$'
of '${NODE_PACKAGE}' | tr '\n' '\0' |
xargs -0 grep -HoE -m1 '^([{]?[[:space:]]{0,4}|[{]"name":"[^"]{1,214}",)"version"[[:space:]]*:[[:space:]]*"[^"]{1,80}"' /dev/null
of '/installed\.json$' | tr '\n' '\0' |
xargs -0 grep -HoE '^ {8}( {4})?"(name|version)": "[^"]{1,200}"' /dev/null`

const jars = String.raw`j=$(of '\.jar$' | head -n ${JARS_MAX})
u=; has bsdtar && u='bsdtar -xOf'; has unzip && u='unzip -p'
[ -z "$j" ] || if [ -n "$u" ]; then printf '%s\n' "$j" | while IFS= read -r f; do
$u "$f" 'META-INF/maven/*/*/pom.properties' | head -c ${PROPERTIES_BYTES_MAX} | grep -E '^(groupId|artifactId|version)=' | F=$f awk '{print ENVIRON["F"] "\t" $0}'
done; else echo "${UNREAD_JARS}$(of '[.]jar$' | grep -c '')"; fi`

const owners = String.raw`{ if ls /var/lib/dpkg/info/*.list >/dev/null; then $T grep -HE '${OWNED}' /var/lib/dpkg/info/*.list
elif has rpm; then $T rpm -qa --qf '[%{=NAME}\t%{FILENAMES}\n]'
elif [ -r /lib/apk/db/installed ] || [ -r /usr/lib/apk/db/installed ]; then
cat /usr/lib/apk/db/installed /lib/apk/db/installed | awk '/^P:/{p=substr($0,3)} /^F:/{f=substr($0,3)} /^R:/{print p "\t/" f "/" substr($0,3)}'
elif [ -d /var/lib/pacman/local ]; then
for p in /var/lib/pacman/local/*/files; do F=$p awk '{print ENVIRON["F"] "\t/" $0}' "$p"; done
fi; ${ENDED_BY_ITSELF} && echo ${MARKS.end}; } | grep -E '${OWNED}|^${MARKS.end}$'`

export const libraryQuestion: Question = {
  name: 'packages-library',
  command: [
    '[ "$S" = Linux ] || exit 3',
    find,
    files,
    jars,
    `[ $(of '[.]jar$' | grep -c '') -gt ${JARS_MAX} ] || of '^${MARKS.walked}$'`,
    `echo ${MARKS.owners}`,
    owners,
    'exit 0',
  ].join('\n'),
}
