import { observer, type AssetGenerator } from './generator.ts'

const products = [
  ['Mozilla', 'Firefox'],
  ['Google', 'Chrome'],
  ['Microsoft', 'Office LTSC'],
  ['Microsoft', 'Visual Studio Code'],
  ['Microsoft', 'SQL Server'],
  ['Adobe', 'Acrobat Reader'],
  ['7-Zip', '7-Zip'],
  ['The Document Foundation', 'LibreOffice'],
  ['PostgreSQL', 'PostgreSQL'],
  ['Oracle', 'Java SE'],
  ['Python Software Foundation', 'Python'],
  ['OpenJS Foundation', 'Node.js'],
  ['F5', 'nginx'],
  ['Apache', 'HTTP Server'],
  ['Apache', 'Tomcat'],
  ['OpenBSD', 'OpenSSH'],
  ['OpenSSL', 'OpenSSL'],
  ['Docker', 'Docker Engine'],
  ['Siemens', 'TIA Portal'],
  ['SAP', 'SAP GUI'],
  ['Zoom', 'Zoom Workplace'],
  ['VideoLAN', 'VLC media player'],
  ['KeePassXC', 'KeePassXC'],
  ['Halden', 'Billing Service'],
  ['Halden', 'Shop Floor Terminal'],
  ['Halden', 'Order Desk'],
] as const

/** One asset for each product and version; the versions are fictitious. */
export const software: AssetGenerator = {
  name: 'software',
  share: 60,
  generate(number, estate, random) {
    const [vendor, product] = products[number % products.length]!
    const release = Math.floor(number / products.length)
    const version = `${3 + Math.floor(release / 10)}.${release % 10}.${random.below(20)}`
    return [
      observer(estate, random)('packages', `${vendor}/${product}/${release}`.toLowerCase(), {
        ids: {},
        name: `${product} ${version}`,
        assetType: 'software',
        vendor,
        model: product,
        facts: { version, installations: 1 + random.below(Math.max(1, estate.count('laptops'))) },
      }),
    ]
  },
}
