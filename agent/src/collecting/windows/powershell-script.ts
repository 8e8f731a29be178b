/**
 * What Windows tells of itself through CIM, the registry and cmdlets that come with it, as one JSON object. One constant
 * script: nothing from outside is part of it. No double quotes, so that it is one argument of a command line as it is.
 *
 * Classes and properties are those of Microsoft's reference. A part that a system does not have (Win32_Tpm, the Security
 * Center of servers, Get-LocalUser on domain controllers) is null or empty.
 */
const all = (
  name: string,
  className: string,
  properties: readonly string[],
  namespace = 'root/cimv2',
): string =>
  `$r.${name} = @(Get-CimInstance -Namespace ${namespace} -ClassName ${className} | Select-Object ${properties.join(',')})`

const UNINSTALL = String.raw`Microsoft\Windows\CurrentVersion\Uninstall\*`
const programKeys = [
  `Registry::HKEY_LOCAL_MACHINE\\SOFTWARE\\${UNINSTALL}`,
  `Registry::HKEY_LOCAL_MACHINE\\SOFTWARE\\WOW6432Node\\${UNINSTALL}`,
  `Registry::HKEY_USERS\\*\\Software\\${UNINSTALL}`,
]
const PROGRAM = 'PSPath,DisplayName,DisplayVersion,Publisher,InstallDate,SystemComponent,ParentKeyName'
const day = (property: string): string =>
  `@{n='${property}';e={if ($_.${property}) { $_.${property}.ToString('yyyy-MM-dd') }}}`

export const SCRIPT = [
  `$ErrorActionPreference = 'SilentlyContinue'`,
  `$ProgressPreference = 'SilentlyContinue'`,
  '[Console]::OutputEncoding = New-Object Text.UTF8Encoding($false)',
  '$r = @{}',
  String.raw`$r.version = Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion' | Select-Object DisplayVersion,ReleaseId,EditionID,UBR`,
  String.raw`$r.machineGuid = (Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Cryptography').MachineGuid`,
  String.raw`$r.secureBoot = (Get-ItemProperty 'HKLM:\SYSTEM\CurrentControlSet\Control\SecureBoot\State').UEFISecureBootEnabled`,
  all('os', 'Win32_OperatingSystem', ['Caption', 'Version']),
  all('system', 'Win32_ComputerSystem', [
    'Name',
    'DNSHostName',
    'Domain',
    'PartOfDomain',
    'Manufacturer',
    'Model',
    'TotalPhysicalMemory',
  ]),
  all('product', 'Win32_ComputerSystemProduct', ['IdentifyingNumber', 'UUID']),
  all('board', 'Win32_BaseBoard', ['Manufacturer', 'Product', 'SerialNumber']),
  all('bios', 'Win32_BIOS', ['Manufacturer', 'SMBIOSBIOSVersion', day('ReleaseDate')]),
  all('chassis', 'Win32_SystemEnclosure', ['ChassisTypes']),
  all('processors', 'Win32_Processor', ['Name', 'NumberOfCores', 'NumberOfLogicalProcessors']),
  all('tpm', 'Win32_Tpm', ['SpecVersion'], 'root/cimv2/Security/MicrosoftTpm'),
  all('adapters', 'Win32_NetworkAdapter', ['Index', 'NetConnectionID', 'PNPDeviceID', 'Speed']),
  all('addresses', 'Win32_NetworkAdapterConfiguration', ['Index', 'Description', 'MACAddress', 'IPAddress']),
  all(
    'disks',
    'MSFT_PhysicalDisk',
    ['FriendlyName', 'Manufacturer', 'Model', 'SerialNumber', 'Size', 'MediaType', 'BusType'],
    'root/Microsoft/Windows/Storage',
  ),
  all('volumes', 'Win32_LogicalDisk', ['DeviceID', 'DriveType', 'FileSystem', 'Size', 'FreeSpace']),
  all('services', 'Win32_Service', ['Name', 'StartMode']),
  '$r.processes = @(Get-Process | Select-Object Id,ProcessName)',
  '$r.tcp = @(Get-NetTCPConnection -State Listen | Select-Object LocalAddress,LocalPort,OwningProcess)',
  '$r.udp = @(Get-NetUDPEndpoint | Select-Object LocalAddress,LocalPort,OwningProcess)',
  `$r.users = @(Get-LocalUser | Select-Object Name,Enabled,@{n='SID';e={$_.SID.Value}})`,
  `$r.administrators = @(Get-LocalGroupMember -SID S-1-5-32-544 | ForEach-Object { $_.SID.Value })`,
  all(
    'encryption',
    'Win32_EncryptableVolume',
    ['DriveLetter', 'ProtectionStatus'],
    'root/cimv2/Security/MicrosoftVolumeEncryption',
  ),
  all('firewall', 'MSFT_NetFirewallProfile', ['Name', 'Enabled'], 'root/StandardCimv2'),
  all('antivirus', 'AntiVirusProduct', ['displayName'], 'root/SecurityCenter2'),
  all('defender', 'MSFT_MpComputerStatus', ['AntivirusEnabled'], 'root/Microsoft/Windows/Defender'),
  `$r.certificates = @(Get-ChildItem Cert:/LocalMachine/My | ForEach-Object { [Convert]::ToBase64String($_.RawData) })`,
  `$r.profiles = @(Get-CimInstance Win32_UserProfile | Select-Object SID,LocalPath)`,
  `$r.programs = @(Get-ItemProperty ${programKeys.map((it) => `'${it}'`).join(',')} | Where-Object { $_.DisplayName } | Select-Object ${PROGRAM})`,
  `$r.hotfixes = @(Get-CimInstance Win32_QuickFixEngineering | Select-Object HotFixID,${day('InstalledOn')})`,
  'ConvertTo-Json -InputObject $r -Depth 4 -Compress',
].join('; ')
