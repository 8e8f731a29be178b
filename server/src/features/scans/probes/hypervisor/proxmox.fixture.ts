/**
 * No Proxmox VE can run here. These answers have the form that its published API description (pve-docs/api-viewer)
 * and its manual pages qm(1), pct(1) and pvesh(1) give; no real server was seen.
 */
export const proxmoxAnswers: Readonly<Record<string, unknown>> = {
  '/version': { version: '8.1.4', release: '8.1', repoid: 'ec5affc9e41f1d79' },
  '/cluster/status': [
    { type: 'cluster', id: 'cluster', name: 'office', nodes: 2, quorate: 1, version: 4 },
    { type: 'node', id: 'node/pve1', name: 'pve1', ip: '10.9.0.11', nodeid: 1, online: 1, local: 1 },
    { type: 'node', id: 'node/pve2', name: 'pve2', ip: '10.9.0.12', nodeid: 2, online: 0, local: 0 },
  ],
  '/cluster/resources': [
    { type: 'node', id: 'node/pve1', node: 'pve1', status: 'online', maxcpu: 16, maxmem: 68719476736 },
    { type: 'node', id: 'node/pve2', node: 'pve2', status: 'offline', maxcpu: 8, maxmem: 34359738368 },
    {
      type: 'qemu',
      id: 'qemu/100',
      vmid: 100,
      name: 'web',
      node: 'pve1',
      status: 'running',
      template: 0,
      maxcpu: 4,
      maxmem: 8589934592,
      maxdisk: 34359738368,
      tags: 'prod;web',
      pool: 'shop',
    },
    {
      type: 'qemu',
      id: 'qemu/900',
      vmid: 900,
      name: 'golden',
      node: 'pve1',
      status: 'stopped',
      template: 1,
      maxcpu: 2,
    },
    {
      type: 'lxc',
      id: 'lxc/101',
      vmid: 101,
      name: 'dns',
      node: 'pve1',
      status: 'running',
      maxcpu: 1,
      maxmem: 536870912,
    },
    { type: 'qemu', id: 'qemu/666', vmid: '../../access', name: 'bad', node: 'pve1', status: 'running' },
    {
      type: 'storage',
      id: 'storage/pve1/local',
      storage: 'local',
      node: 'pve1',
      plugintype: 'dir',
      shared: 0,
      maxdisk: 1e11,
    },
    { type: 'sdn', id: 'sdn/pve1/localnetwork', sdn: 'localnetwork', node: 'pve1', status: 'ok' },
  ],
  '/nodes/pve1/status': {
    cpuinfo: { model: 'AMD EPYC 7302P', sockets: 1, cores: 16, cpus: 32, mhz: '3000.000' },
    memory: { total: 68719476736, used: 1, free: 1 },
    kversion: 'Linux 6.5.11-8-pve #1 SMP',
    pveversion: 'pve-manager/8.1.4/ec5affc9e41f1d79',
  },
  '/nodes/pve1/network': [
    { iface: 'vmbr0', type: 'bridge', address: '10.9.0.11', netmask: '24', cidr: '10.9.0.11/24', active: 1 },
    { iface: 'eno1', type: 'eth', active: 1 },
  ],
  '/nodes/pve1/qemu/100/config': {
    name: 'web',
    smbios1: 'uuid=9c1f2d3e-4b5a-4c6d-8e7f-001122334455,serial=U04tMQ==,base64=1',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1,tag=20',
    net1: 'e1000=BC:24:11:00:00:02,bridge=vmbr1',
    scsi0: 'local-lvm:vm-100-disk-0,iothread=1,size=32G',
    ide2: 'none,media=cdrom',
    ostype: 'l26',
    cores: 4,
    sockets: 1,
    memory: '8192',
    agent: '1,fstrim_cloned_disks=1',
    description: 'shop front\n',
  },
  '/nodes/pve1/qemu/100/agent/network-get-interfaces': {
    result: [
      {
        name: 'lo',
        'hardware-address': '00:00:00:00:00:00',
        'ip-addresses': [{ 'ip-address': '127.0.0.1' }],
      },
      {
        name: 'eth0',
        'hardware-address': 'bc:24:11:00:00:01',
        'ip-addresses': [
          { 'ip-address': '10.9.20.5', 'ip-address-type': 'ipv4', prefix: 24 },
          { 'ip-address': 'fe80::be24:11ff:fe00:1', 'ip-address-type': 'ipv6', prefix: 64 },
        ],
      },
      {
        name: 'docker0',
        'hardware-address': '02:42:00:00:00:01',
        'ip-addresses': [{ 'ip-address': '172.17.0.1' }],
      },
    ],
  },
  '/nodes/pve1/qemu/100/agent/get-host-name': { result: { 'host-name': 'web.example.test' } },
  '/nodes/pve1/qemu/100/agent/get-osinfo': {
    result: { id: 'debian', 'pretty-name': 'Debian GNU/Linux 12 (bookworm)' },
  },
  '/nodes/pve1/qemu/900/config': {
    name: 'golden',
    smbios1: 'uuid=9c1f2d3e-4b5a-4c6d-8e7f-001122334456',
    template: 1,
  },
  '/nodes/pve1/lxc/101/config': {
    hostname: 'dns',
    ostype: 'debian',
    net0: 'name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:03,ip=10.9.0.53/24,gw=10.9.0.1,type=veth',
    rootfs: 'local-lvm:subvol-101-disk-0,size=8G',
  },
  '/nodes/pve1/lxc/101/interfaces': [{ name: 'eth0', hwaddr: 'bc:24:11:00:00:03', inet: '10.9.0.53/24' }],
}
