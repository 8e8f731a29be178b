import type { Question } from './command.ts'

/** What a machine is: names, system, hardware, interfaces, disks. */
export const systemQuestions: readonly Question[] = [
  { name: 'uname', command: 'uname -s; uname -n; uname -r; uname -m; uname -v' },
  {
    name: 'release',
    command: `case $S in
Darwin) sw_vers;;
FreeBSD|DragonFly) freebsd-version 2>/dev/null || uname -r;;
*) cat /etc/os-release || cat /usr/lib/os-release || cat /etc/redhat-release || cat /etc/version;;
esac`,
  },
  { name: 'hostname', command: 'hostname -f || hostname || uname -n' },
  {
    name: 'machine-id',
    command: 'cat /etc/machine-id || cat /var/lib/dbus/machine-id',
  },
  {
    name: 'hardware',
    command: String.raw`case $S in
Darwin) ioreg -rd1 -c IOPlatformExpertDevice; sysctl hw.model;;
*BSD|DragonFly) sysctl kern.hostuuid hw.vendor hw.product hw.version hw.serialno hw.uuid hw.machine
has kenv && kenv | grep -E '^smbios\.(system|chassis|bios|planar)\.';;
*) for f in /sys/class/dmi/id/*; do
case $f in */modalias|*/uevent|*/power|*/subsystem) continue;; esac
[ -f "$f" ] && [ -r "$f" ] && printf '%s=%s\n' "$(basename "$f")" "$(cat "$f")"
done
for f in model serial-number compatible; do
[ -r /proc/device-tree/$f ] && printf 'tree_%s=%s\n' $f "$(tr '\000' ' ' </proc/device-tree/$f)"
done
[ -r /tmp/sysinfo/model ] && printf 'tree_model=%s\n' "$(cat /tmp/sysinfo/model)"
v=/opt/vyatta/bin/vyatta-op-cmd-wrapper
[ -x $v ] && $T $v show version | sed -n 's/^HW model: */product_name=/p; s,^HW S/N: *,product_serial=,p';;
esac; exit 0`,
  },
  {
    name: 'cloud-init',
    command: 'cat /run/cloud-init/cloud-id && cat /var/lib/cloud/data/instance-id; exit 0',
  },
  {
    name: 'cpu',
    command: String.raw`case $S in
Darwin) sysctl -n hw.logicalcpu machdep.cpu.brand_string;;
*BSD|DragonFly) sysctl -n hw.ncpu hw.model;;
*) getconf _NPROCESSORS_ONLN 2>/dev/null || nproc || grep -c '^processor' /proc/cpuinfo
grep -m1 -E '^(model name|Processor|cpu model|cpu)[[:space:]]*:' /proc/cpuinfo
grep -m1 -o -w hypervisor /proc/cpuinfo;;
esac; exit 0`,
  },
  {
    name: 'memory',
    command: `case $S in
Darwin) sysctl -n hw.memsize;;
FreeBSD|DragonFly) sysctl -n hw.physmem;;
*BSD) sysctl -n hw.physmem64 || sysctl -n hw.physmem;;
*) grep -E '^(MemTotal|SwapTotal):' /proc/meminfo;;
esac`,
  },
  {
    name: 'disks',
    command: String.raw`case $S in
Darwin) diskutil list physical;;
*BSD|DragonFly) sysctl -n kern.disks || sysctl -n hw.disknames;;
*) for d in /sys/block/*; do
n=$(basename "$d")
case $n in loop*|ram*|zram*|dm-*|md*|sr*|fd*|nbd*) continue;; esac
s=$(cat "$d/size") || continue
[ "$s" -gt 0 ] && printf '%s\t%s\t%s\t%s\t%s\n' "$n" "$s" "$(cat "$d/queue/rotational")" "$(cat "$d/device/model")" "$(cat "$d/device/serial")"
done;;
esac; exit 0`,
  },
  {
    name: 'filesystems',
    // of network file systems, a server that is away stops df for ever
    command: '$T df -Pkl || $T df -kl || $T df -Pk',
  },
  { name: 'mounts', command: 'cat /proc/mounts || mount' },
  {
    name: 'interfaces',
    command: `case $S in
Linux) ip -o link && ip -o addr && exit 0; ifconfig -a;;
*) ifconfig -a;;
esac`,
  },
  {
    name: 'ports-of-nature',
    command: `for i in /sys/class/net/*; do [ -e "$i/device" ] && basename "$i"; done; exit 0`,
  },
  {
    name: 'fixed-addresses',
    command: `cat /etc/network/interfaces /etc/network/interfaces.d/* | grep -E '^[[:space:]]*address[[:space:]]'
cat /etc/sysconfig/network-scripts/ifcfg-* /etc/sysconfig/network/ifcfg-* | grep -E '^[[:space:]]*IPADDR'
cat /etc/systemd/network/*.network | grep -E '^Address='
grep -E '^ifconfig_|^inet' /etc/rc.conf /etc/hostname.*; exit 0`,
  },
  {
    name: 'virtual',
    command: String.raw`has systemd-detect-virt && printf 'detect=%s\n' "$(systemd-detect-virt)"
[ -f /.dockerenv ] && echo container=docker
[ -f /run/.containerenv ] && echo container=podman
grep -q -s -a container=lxc /proc/1/environ && echo container=lxc
grep -q -s -E '/(docker|kubepods|libpod|containerd)' /proc/1/cgroup && echo container=docker
[ -r /proc/xen/capabilities ] && grep -q control_d /proc/xen/capabilities && echo role=hypervisor
has pveversion && echo role=hypervisor
[ -S /run/libvirt/libvirt-sock ] && echo role=perhaps
[ "$S" = VMkernel ] && echo role=hypervisor
case $S in
Darwin) printf 'guest=%s\n' "$(sysctl -n kern.hv_vmm_present)";;
FreeBSD|DragonFly) printf 'guest=%s\n' "$(sysctl -n kern.vm_guest)";;
esac; exit 0`,
  },
  {
    name: 'boot',
    command: `case $S in
Linux) grep '^btime ' /proc/stat;;
*) sysctl -n kern.boottime;;
esac`,
  },
]
