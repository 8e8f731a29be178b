import { expect, test } from 'vitest'
import { madeName } from './made-name.ts'

test.each([
  ['Lenovo', 'ThinkPad T14', 'Lenovo ThinkPad T14'],
  ['SAP', 'SAP GUI', 'SAP GUI'],
  ['OpenSSL', 'OpenSSL', 'OpenSSL'],
  ['HP', 'hp LaserJet', 'hp LaserJet'],
  ['HP', 'HPE ProLiant', 'HP HPE ProLiant'],
  ['', 'U6-Pro', 'U6-Pro'],
  ['Siemens', '', 'Siemens'],
  ['', '', ''],
])('%j and %j are %j', (vendor, model, name) => expect(madeName({ vendor, model })).toBe(name))
