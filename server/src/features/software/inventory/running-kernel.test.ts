import { expect, test } from 'vitest'
import { isRebootPending } from './running-kernel.ts'

const debian = (...names: string[]) => names.map((name) => ({ origin: 'dpkg' as const, name, version: '1' }))
const rpm = (...packages: [name: string, version: string][]) =>
  packages.map(([name, version]) => ({ origin: 'rpm' as const, name, version }))

test.each([
  ['6.1.0-18-amd64', debian('linux-image-6.1.0-18-amd64', 'linux-image-amd64'), false],
  ['6.1.0-9-amd64', debian('linux-image-6.1.0-9-amd64', 'linux-image-6.1.0-18-amd64'), true],
  ['6.1.0-18-amd64', debian('linux-image-6.1.0-18-amd64', 'linux-image-6.1.0-20-cloud-amd64'), false],
  ['6.1.0-18-amd64', debian('linux-image-6.1.0-18-amd64', 'linux-image-6.1.0-20-amd64-dbg'), false],
  ['5.15.0-91-generic', debian('linux-image-5.15.0-91-generic', 'linux-image-5.15.0-100-generic'), true],
  ['5.15.0-91-generic', debian('linux-image-unsigned-5.15.0-91-generic'), false],
  ['6.5.0-0.deb12.4-amd64', debian('linux-image-6.5.0-0.deb12.4-amd64'), false],
  // the kernel that runs was removed
  ['6.1.0-9-amd64', debian('linux-image-6.1.0-8-amd64'), true],
  ['5.14.0-427.13.1.el9_4.x86_64', rpm(['kernel-core', '5.14.0-427.13.1.el9_4']), false],
  [
    '5.14.0-427.13.1.el9_4.x86_64',
    rpm(['kernel-core', '0:5.14.0-427.13.1.el9_4'], ['kernel-core', '0:5.14.0-427.40.1.el9_4']),
    true,
  ],
  ['3.10.0-1160.el7.x86_64', rpm(['kernel', '3.10.0-1160.el7'], ['kernel-tools', '3.10.0-1200.el7']), false],
  [
    '5.15.0-100.96.32.el8uek.x86_64',
    rpm(['kernel-core', '4.18.0-553.el8'], ['kernel-uek', '5.15.0-100.96.32.el8uek']),
    false,
  ],
  ['5.14.21-150500.55.39-default', rpm(['kernel-default', '5.14.21-150500.55.39.1']), false],
  ['5.14.21-150500.55.39-default', rpm(['kernel-default', '5.14.21-150500.55.52.1']), true],
  // a container lists no kernel, a kernel built by hand is of no package
  ['6.1.0-18-amd64', debian('bash', 'linux-image-amd64'), undefined],
  ['6.9.3-custom', debian('linux-image-6.1.0-18-amd64'), undefined],
  ['', debian('linux-image-6.1.0-18-amd64'), undefined],
])('%s beside %j: %s', (running, packages, expected) => {
  expect(isRebootPending(running, packages)).toBe(expected)
})
