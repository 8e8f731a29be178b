import { expect, test } from 'vitest'
import { NoSoap, SoapFault } from './soap.ts'
import { wsman } from './wsman.ts'

// Excerpts of what Open Management Infrastructure 1.0.8 answered, another implementation of WS-Management.
const envelope = (body: string): string =>
  `<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope" xmlns:wsen="http://schemas.xmlsoap.org/ws/2004/09/enumeration" xmlns:wsman="http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd"><SOAP-ENV:Header></SOAP-ENV:Header><SOAP-ENV:Body>${body}</SOAP-ENV:Body></SOAP-ENV:Envelope>`
const identify =
  '<p:OMI_Identify xmlns:p="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/OMI_Identify"><p:InstanceID>2FDB5542-5896-45D5-9BE9-DC04430AAABE</p:InstanceID><p:SystemName>vm</p:SystemName><p:ProductName>OMI</p:ProductName></p:OMI_Identify>'
const enumerated = envelope(
  '<wsen:EnumerateResponse><wsen:EnumerationContext>1164378112</wsen:EnumerationContext><wsman:Items></wsman:Items></wsen:EnumerateResponse>',
)
const pulled = envelope(
  `<wsen:PullResponse><wsen:EnumerationContext>1164378112</wsen:EnumerationContext><wsen:Items>${identify}</wsen:Items><wsen:EndOfSequence></wsen:EndOfSequence></wsen:PullResponse>`,
)
const noClass = envelope(
  '<SOAP-ENV:Fault><SOAP-ENV:Code><SOAP-ENV:Value>SOAP-ENV:Sender</SOAP-ENV:Value><SOAP-ENV:Subcode><SOAP-ENV:Value>wsa:DestinationUnreachable</SOAP-ENV:Value></SOAP-ENV:Subcode></SOAP-ENV:Code><SOAP-ENV:Reason><SOAP-ENV:Text xml:lang="en-US">The specified class does not exist.</SOAP-ENV:Text></SOAP-ENV:Reason></SOAP-ENV:Fault>',
)

/** Answers one after the other, and what was asked. */
function recorded(...answers: readonly string[]) {
  const asked: string[] = []
  const exchange = async (envelope: string): Promise<string> => {
    asked.push(envelope)
    return answers[asked.length - 1] ?? ''
  }
  return { asked, service: wsman('http://127.0.0.1:5985/wsman', exchange) }
}

test('an enumeration is pulled to its end', async () => {
  const { asked, service } = recorded(enumerated, pulled)
  const [found, ...others] = await service.query('select * from OMI_Identify')
  expect(found?.get('SystemName')).toEqual(['vm'])
  expect(others).toEqual([])
  expect(asked[1]).toContain('<n:EnumerationContext>1164378112</n:EnumerationContext>')
})

test('a fault says its code and its reason', async () => {
  const { service } = recorded(noClass)
  const fault = await service.query('select * from Nothing').catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(SoapFault)
  expect(fault).toMatchObject({
    code: 'DestinationUnreachable',
    message: 'The specified class does not exist.',
  })
})

test.each(['', '<a/>', '<a>', '{"a":1}', '\0', '<!DOCTYPE a><a/>', '<a>&b;</a>'])(
  '%j is no envelope',
  async (text) => {
    await expect(recorded(text).service.query('select * from A')).rejects.toBeInstanceOf(NoSoap)
  },
)

test('what a query says is not read as markup', async () => {
  const { asked, service } = recorded(pulled)
  await service.query('select * from A where B = "<&>"')
  expect(asked[0]).toContain('B = &#34;&#60;&#38;&#62;&#34;')
})
