# sh install-and-start.sh FOLDER PACKAGE, in a mount namespace of its own, as root. Installs a Debian package on a copy of
# this host that is forgotten afterwards, and becomes what its unit starts: as its user, with its environment, with
# nothing but its own folders to write to.
set -eu
scratch=$1 package=$2
mkdir "$scratch"
mount -t tmpfs tmpfs "$scratch"
mkdir "$scratch/upper" "$scratch/work" "$scratch/root"
root=$scratch/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$scratch/upper,workdir=$scratch/work" "$root"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
cp "$package" "$root/package.deb"
chroot "$root" dpkg --install /package.deb >&2
echo PORT=0 >>"$root/etc/rollcall/rollcall.env"
unit=$root/lib/systemd/system/rollcall.service
value() { sed -n "s/^$1=//p" "$unit"; }
user=$(value User)
if [ "$(chroot "$root" stat --format='%U %a' /var/lib/rollcall)" != "$user 700" ]; then
  echo "nothing can be restored before the first start" >&2
  exit 1
fi
for folder in "var/lib/$(value StateDirectory)" "var/cache/$(value CacheDirectory)" tmp; do
  mkdir -p "$root/$folder"
  mount -t tmpfs -o mode=700 tmpfs "$root/$folder"
  chroot "$root" chown "$user:$user" "/$folder"
done
mount -o remount,ro "$root"
settings=$(grep -h '^[A-Z]' "$root/etc/rollcall/rollcall.env")
# shellcheck disable=SC2046,SC2086 # words of the unit are arguments
exec chroot "$root" setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs \
  --inh-caps=-all,+net_raw --ambient-caps=-all,+net_raw --bounding-set=-all,+net_raw \
  env -i PATH=/usr/local/bin:/usr/bin:/bin $(value Environment) $settings $(value ExecStart)
