/** Loads that one caller, or one address, puts on the server. */
import { connect } from 'node:net'
import { deflateRawSync, crc32 } from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import { auth } from '../../../src/api/contract/auth.ts'
import { devices } from '../../../src/api/contract/devices.ts'
import { stream } from '../../../src/api/contract/stream.ts'
import { deviceUpload } from '../../../src/domain/uploads.ts'
import { repeat } from '../browser.ts'

/** Returns the status of a call, or `no answer`; the body is read. */
async function status(url: string, init: RequestInit): Promise<string> {
  try {
    const answer = await fetch(url, init)
    await answer.arrayBuffer()
    return String(answer.status)
  } catch {
    return 'no answer'
  }
}

/**
 * Signs in `count` times at once, with logins that do not exist, each from an address of its own, because those of one are
 * soon refused: each costs as much as one that does exist.
 */
export const signIns = (url: string, count: number) =>
  Promise.all(
    repeat(count, index =>
      status(url + auth.login.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` },
        body: JSON.stringify({ login: `nobody-${count}-${index}`, password: 'a wrong password' }),
      }),
    ),
  )

/** Lists devices with `count` invented tokens, each again and again for some milliseconds. Returns the last answers. */
export function inventedTokens(url: string, count: number, time: number): Promise<string[]> {
  const end = performance.now() + time
  return Promise.all(
    repeat(count, async index => {
      let last = 'no answer'
      while (performance.now() < end)
        last = await status(url + devices.list.path, { headers: { 'access-token': `invented-${index}` } })
      return last
    }),
  )
}

/** Opens `count` streams at once, divided among the tokens, and closes them after some seconds. */
export async function streams(url: string, tokens: readonly string[], count: number): Promise<string[]> {
  const ending = new AbortController()
  const opened = await Promise.all(
    repeat(count, async index => {
      try {
        const headers = { 'access-token': tokens[index % tokens.length]! }
        const answer = await fetch(url + stream.open.path, { headers, signal: ending.signal })
        return String(answer.status)
      } catch {
        return 'no answer'
      }
    }),
  )
  await wait(2000)
  ending.abort()
  return opened
}

/** Sends `count` bodies of 2 MB at once: a command for 200,000 devices. */
export function bodies(url: string, token: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: 110_000 }, (_, index) => `A41C${index.toString(16).padStart(8, '0')}`)
  const body = JSON.stringify({ ids }).slice(0, 2_000_000 - 4) + '"]}'
  const headers = { 'content-type': 'application/json', 'access-token': token }
  return Promise.all(repeat(count, () => status(url + devices.flush.path, { method: 'POST', headers, body })))
}

/** Returns a workbook of devices of 0.2 MB whose sheet unpacks to 199 MB. */
export function bombWorkbook(): Buffer<ArrayBuffer> {
  const rowOf = (cells: readonly string[]) =>
    `<row>${cells.map(text => `<c t="str"><v>${text}</v></c>`).join('')}</row>`
  const header = rowOf(deviceUpload.vendor.map(({ name }) => name))
  const row = rowOf(repeat(40, () => 'a'))
  const sheet = Buffer.from(
    `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${header}${row.repeat(
      Math.floor(199_000_000 / row.length),
    )}</sheetData></worksheet>`,
  )
  return zip([
    [
      '[Content_Types].xml',
      Buffer.from(
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
      ),
    ],
    [
      '_rels/.rels',
      Buffer.from(
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
      ),
    ],
    [
      'xl/workbook.xml',
      Buffer.from(
        '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ),
    ],
    [
      'xl/_rels/workbook.xml.rels',
      Buffer.from(
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
    ],
    ['xl/worksheets/sheet1.xml', sheet],
  ])
}

/** Returns an archive of these files. */
function zip(files: readonly (readonly [name: string, content: Buffer])[]): Buffer<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, content] of files) {
    const packed = deflateRawSync(content, { level: 9 })
    const name = Buffer.from(path)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), common, name])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, place, name]))
    parts.push(local, packed)
    at += local.length + packed.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, entries, end])
}

/** Uploads one file of devices. */
export function upload(
  url: string,
  token: string,
  content: Buffer<ArrayBuffer> | string,
  name: string,
): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content]), name)
  return status(url + devices.upload.path, { method: 'POST', headers: { 'access-token': token }, body: form })
}

/** Opens connections that send a request of an upload, a byte every second, and never finish; closes them after `time`. */
export async function slowUploads(url: string, token: string, count: number, time: number): Promise<number> {
  const { hostname, port } = new URL(url)
  const sockets = repeat(count, () => connect(Number(port), hostname))
  let closed = 0
  for (const socket of sockets) {
    socket.on('error', () => undefined)
    socket.on('close', () => closed++)
    socket.write(
      `POST ${devices.upload.path} HTTP/1.1\r\nhost: x\r\naccess-token: ${token}\r\n` +
        'content-type: multipart/form-data; boundary=x\r\ncontent-length: 5000000\r\n\r\n' +
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n',
    )
  }
  const trickle = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('a')
  }, 1000)
  await wait(time)
  clearInterval(trickle)
  const before = closed
  for (const socket of sockets) socket.destroy()
  return before
}
