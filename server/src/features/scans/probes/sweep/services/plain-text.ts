/** Bytes from anybody as one line for people: UTF-8 or else Latin-1, without control characters, bounded. */
export function plainText(bytes: Buffer | string, lengthMax = 300): string | undefined {
  const utf8 = typeof bytes === 'string' ? bytes : bytes.subarray(0, lengthMax * 4).toString('utf8')
  const read = typeof bytes !== 'string' && utf8.includes('\ufffd') ? bytes.toString('latin1') : utf8
  const clean = read
    .slice(0, lengthMax * 4)
    // oxlint-disable-next-line no-control-regex -- they are what is taken out
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffd]+/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed()
  return clean === '' ? undefined : clean
}
