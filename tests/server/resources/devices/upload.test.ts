/** Uploading devices: files from spreadsheets, files with errors, and hostile files. */
import { deflateRawSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { CFB, utils, write } from '@e965/xlsx'
import { deviceUpload, maxUploadRows } from '../../../../src/domain/uploads.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { filtrationSystems } from '../../../../server/db/schema/filtration.ts'
import { deviceModels } from '../../../../server/db/schema/models.ts'
import { newId } from '../../../../server/db/id.ts'
import { deviceRow } from '../../support/devices/deviceRows.ts'
import { startServer } from '../../support/harness.ts'
import { newAccount } from '../../support/subjects.ts'

const { call, db, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
}
const vendorId = (await signIn('vendor')).user_id

async function upload(
  name: string,
  content: string | Buffer,
  by: keyof typeof tokens = 'admin',
  query: { readonly preview?: string; readonly first_row?: string } = {},
) {
  const form = new FormData()
  form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  const request = new Response(form)
  const answer = await call('POST', `/api/v3/devices/file?${new URLSearchParams(query)}`, {
    token: tokens[by],
    body: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type')! },
  })
  const { data, message } = answer.json<{ data?: { created: number }; message?: string | string[] }>()
  // credentials.test.ts tests the credentials.
  return { status: answer.statusCode, ...(data && { data: { created: data.created } }), ...(message && { message }) }
}
const stored = (bssid: string) => deviceRow(db, bssid)
const total = () => db.$count(devices)

const header = 'bssid,platform,model,filtration_system,vendor,description'
let serial = 0
const newBssid = () => {
  serial++
  return `02:00:00:00:${(serial >> 8).toString(16).padStart(2, '0')}:${(serial & 255).toString(16).padStart(2, '0')}`.toUpperCase()
}
const good = (bssid: string) => `${bssid},esp32,RO-400 Home,FS-400,vendor,"Kitchen, 2nd floor"`
const xlsx = (rows: unknown[][]) =>
  write(
    { SheetNames: ['Devices'], Sheets: { Devices: utils.aoa_to_sheet(rows) } },
    { type: 'buffer', bookType: 'xlsx' },
  ) as Buffer

describe('a valid file', () => {
  test('can be comma-separated UTF-8', async () => {
    const [a, b] = [newBssid(), newBssid()]
    expect(await upload('devices.csv', [header, good(a), good(b)].join('\n'))).toEqual({
      status: 200,
      data: { created: 2 },
    })
    expect(await stored(a)).toMatchObject({ status: 3, vendor_id: vendorId, description: 'Kitchen, 2nd floor' })
    const cartridges = await db.select().from(deviceCartridges).where(eq(deviceCartridges.bssid, a))
    expect(cartridges).toHaveLength(4)
    expect((await stored(a)).next_replacement_at).not.toBeNull()
  })

  test('can be CSV from Excel: BOM, semicolons, CRLF, quoted line breaks, any order and case of columns', async () => {
    const bssid = newBssid()
    const file = `\uFEFFModel;BSSID;Platform ;Vendor;Filtration System;Description\r\nro-400 home;${bssid.replaceAll(':', '').toLowerCase()};esp32;VENDOR;;"Küche\r\n2. OG; ""links"""\r\n\r\n`
    expect(await upload('Geräte.CSV', file)).toEqual({ status: 200, data: { created: 1 } })
    expect(await stored(bssid)).toMatchObject({ description: 'Küche\r\n2. OG; "links"', filtration_system_id: null })
  })

  test('can write names in other cases than they are stored, also where JavaScript has another lower case', async () => {
    const [model_id, filtration_system_id] = [newId(), newId()]
    const vendor_id = await newAccount(db, 'vendor', { login: 'İzmir' })
    const times = { created_at: new Date(), updated_at: new Date() }
    const model = { id: model_id, platform: 'esp32', name: 'ΠΗΓΉΣ', owner_id: vendor_id, ...times }
    await db.insert(deviceModels).values({ ...model, capabilities: [], bypass_flow_rates: [0, 0, 0, 0] })
    await db.insert(filtrationSystems).values({ id: filtration_system_id, model: 'İstanbul', vendor_id, ...times })
    const [a, b] = [newBssid(), newBssid()]
    const rows = [`${a},esp32,ΠΗΓΉΣ,İstanbul,İzmir,`, `${b},esp32,πηγήσ,istanbul,izmir,`]
    expect(await upload('devices.csv', [header, ...rows].join('\n'))).toEqual({ status: 200, data: { created: 2 } })
    for (const bssid of [a, b]) expect(await stored(bssid)).toMatchObject({ model_id, vendor_id, filtration_system_id })
  })

  test('can have line ends of several kinds', async () => {
    const keys = [newBssid(), newBssid(), newBssid(), newBssid()]
    const [a, b, c, d] = keys.map(key => `${key},esp32,RO-400 Home,,vendor,Kitchen`)
    expect(await upload('devices.csv', `${header}\r\n${a}\n${b}\n${c}\r${d}\r\n`)).toEqual({
      status: 200,
      data: { created: 4 },
    })
    for (const key of keys) expect(await stored(key)).toMatchObject({ description: 'Kitchen' })
  })

  test('can have separators after its last column, as Excel writes', async () => {
    const [a, b] = [newBssid(), newBssid()]
    expect(await upload('devices.csv', `${header},,\n${good(a)},, \n${good(b)},,,,\n,,,,,,,\n`)).toEqual({
      status: 200,
      data: { created: 2 },
    })
  })

  test('can be .xlsx with an id that Excel stored as a number', async () => {
    const bssid = newBssid()
    const rows = [
      deviceUpload.admin.map(column => column.name),
      [bssid, 'esp32', 'RO-400 Home', '', 'vendor', 'From Excel'],
      [],
      [123456789012, 'esp32', 'RO-400 Home', '', 'vendor', ''],
    ]
    expect(await upload('devices.xlsx', xlsx(rows))).toEqual({ status: 200, data: { created: 2 } })
    expect(await stored(bssid)).toMatchObject({ description: 'From Excel' })
    expect(await stored('12:34:56:78:90:12')).toBeDefined()
  })

  test('can be .xlsx with dates and numbers as texts, which are read as Excel displays them', async () => {
    const shown = [
      [{ t: 'n', v: 46027, z: 'd mmm yyyy' }, '5 Jan 2026'],
      [{ t: 'n', v: 46027, z: 'm/d/yy' }, '2026-01-05'],
      [{ t: 'n', v: 46027.5, z: 'yyyy-mm-dd hh:mm' }, '2026-01-05 12:00'],
      [{ t: 'n', v: 46027 }, '46027'],
      [{ t: 'b', v: true }, 'true'],
    ] as const
    const keys = shown.map(newBssid)
    const rows = shown.map(([cell], at) => [keys[at], 'esp32', 'RO-400 Home', '', 'vendor', cell])
    expect(await upload('dates.xlsx', xlsx([header.split(','), ...rows]))).toMatchObject({ status: 200 })
    for (const [at, [, description]] of shown.entries()) expect(await stored(keys[at]!)).toMatchObject({ description })
  })

  test('can have water supplies, or leave them empty', async () => {
    const [labelled, unlabelled] = [newBssid(), newBssid()]
    const rows = `${good(labelled)}, Harbour main \n${good(unlabelled)},`
    expect(await upload('supplies.csv', `${header},Water supply\n${rows}`)).toEqual({
      status: 200,
      data: { created: 2 },
    })
    expect(await stored(labelled)).toMatchObject({ water_supply: 'Harbour main' })
    expect(await stored(unlabelled)).toMatchObject({ water_supply: null })
  })

  test('can be the template', async () => {
    const rows = [deviceUpload.admin.map(column => column.name), deviceUpload.admin.map(column => column.example)]
    expect(await upload('template.xlsx', xlsx(rows))).toEqual({ status: 200, data: { created: 1 } })
  })

  test('from a vendor creates its own devices', async () => {
    const bssid = newBssid()
    const file = `bssid,platform,model\n${bssid},esp32,RO-400 Home`
    expect(await upload('own.csv', file, 'vendor')).toEqual({ status: 200, data: { created: 1 } })
    expect(await stored(bssid)).toMatchObject({ vendor_id: vendorId })
  })

  test('can have 3000 rows', async () => {
    const many = Array.from({ length: 3000 }, () => good(newBssid()))
    const before = await total()
    expect(await upload('many.csv', [header, ...many].join('\n'))).toEqual({ status: 200, data: { created: 3000 } })
    expect(await total()).toBe(before + 3000)
  })
})

describe('a part of a larger file', () => {
  test('is checked without creating anything', async () => {
    const before = await total()
    const bssid = newBssid()
    const file = [header, good(bssid)].join('\n')
    expect(await upload('devices.csv', file, 'admin', { preview: 'true' })).toEqual({
      status: 200,
      data: { created: 1 },
    })
    expect([await total(), await stored(bssid)]).toEqual([before, undefined])
    expect(await upload('devices.csv', file)).toEqual({ status: 200, data: { created: 1 } })
    expect(await upload('devices.csv', file, 'admin', { preview: 'true' })).toEqual({
      status: 400,
      message: [`Row 2: bssid ${bssid} already exists`],
    })
  })

  test('has errors with the row numbers of the larger file', async () => {
    const [a, b] = [newBssid(), newBssid()]
    const file = [header, good(a), good(b).replace('esp32', ''), good(a)].join('\n')
    for (const preview of ['true', 'false'])
      expect(await upload('devices.csv', file, 'admin', { preview, first_row: '50002' })).toEqual({
        status: 400,
        message: ['Row 50003: platform is required', `Row 50004: bssid ${a} is already in row 50002`],
      })
  })
})

describe('an invalid file stores nothing and reports its errors', () => {
  const bad = async (content: string, by: keyof typeof tokens = 'admin') => {
    const before = await total()
    const answer = await upload('bad.csv', content, by)
    expect(await total()).toBe(before)
    expect(answer.status).toBe(400)
    return answer.message
  }

  test('by row, with the row numbers of a spreadsheet', async () => {
    const fine = newBssid()
    const twice = newBssid()
    const message = await bad(
      [
        header,
        good(fine),
        `"${newBssid()}",,RO-400 Home,,vendor,"two\nlines"`,
        '',
        `nonsense,esp32,RO-400 Home,,vendor,`,
        good(twice),
        good(twice.toLowerCase()),
        `${newBssid()},esp32,RO-999,,vendor,`,
        `${newBssid()},esp32,RO-400 Home,,nobody,`,
        `${newBssid()},esp32,RO-1200 Office,,vendor,`,
        `${newBssid()},esp32,RO-400 Home,FS-100,vendor,`,
        `${newBssid()},esp32,RO-400 Home,,vendor,${'x'.repeat(501)}`,
        `${newBssid()},esp32,RO-400 Home,,,`,
      ].join('\n'),
    )
    expect(message).toEqual([
      'Row 3: platform is required',
      'Row 5: bssid must be twelve hex digits, such as A4:1C:09:7E:33:0B',
      `Row 7: bssid ${twice} is already in row 6`,
      'Row 8: model RO-999 not found',
      'Row 9: vendor nobody not found',
      'Row 10: model RO-1200 Office is not offered to vendor vendor',
      'Row 11: filtration_system FS-100 is not assigned to vendor vendor',
      'Row 12: description must be at most 500 characters',
      'Row 13: vendor is required',
    ])
  })

  test('for a water supply that is too long', async () => {
    const rows = `${good(newBssid())},${'x'.repeat(101)}`
    expect(await bad(`${header},water_supply\n${rows}`)).toEqual(['Row 2: water_supply must be at most 100 characters'])
  })

  test('for cells outside the columns, such as an unquoted text with a comma', async () => {
    const row = `${newBssid()},esp32,RO-400 Home,,vendor,Kitchen`
    expect(await bad([header, `${row}, second floor`].join('\n'))).toEqual(['Row 2: second floor is not in any column'])
    // Excel ends lines with separators for columns that were removed.
    expect(await bad([`${header},,`, `${row},,`, `${row},,x`].join('\n'))).toContain('Row 3: x is not in any column')
    const before = await total()
    const cells = row.split(',')
    const far = Array.from({ length: 60 }, (_, at) => cells[at] ?? (at === 59 ? 'far' : ''))
    expect(await upload('bad.xlsx', xlsx([header.split(','), [...cells, 7], [], far]))).toMatchObject({
      status: 400,
      message: expect.arrayContaining(['Row 2: 7 is not in any column', 'Row 4: far is not in any column']),
    })
    expect(await total()).toBe(before)
  })

  test('for formula errors, in a workbook and in CSV from Excel', async () => {
    const rows = [
      ['esp32', 'RO-400 Home', { t: 'e', v: 0x2a, w: '#N/A' }, 'vendor', 'x'],
      ['esp32', 'RO-400 Home', '', 'vendor', { t: 'e', v: 0x1d, w: '#NAME?' }],
      [{ t: 'e', v: 0, w: '#NULL!' }, 'RO-400 Home', '', { t: 'e', v: 0x17, w: '#REF!' }, ''],
    ].map(row => [newBssid(), ...row])
    const before = await total()
    expect(await upload('errors.xlsx', xlsx([header.split(','), ...rows]))).toEqual({
      status: 400,
      message: [
        'Row 2: filtration_system is the error #N/A',
        'Row 3: description is the error #NAME?',
        'Row 4: platform is the error #NULL!',
        'Row 4: vendor is the error #REF!',
      ],
    })
    expect(await total()).toBe(before)
    expect(await bad(`${header}\n${newBssid()},esp32,RO-400 Home,,vendor,#N/A`)).toEqual([
      'Row 2: description is the error #N/A',
    ])
  })

  test('for an id that exists', async () => {
    const [known] = await db.select().from(devices).limit(1)
    expect(await bad(`${header}\n${good(known!.bssid)}`)).toEqual([`Row 2: bssid ${known!.bssid} already exists`])
  })

  test('with at most a hundred messages and the number of the others', async () => {
    const rows = Array.from({ length: 123 }, () => `${newBssid()},,RO-400 Home,,vendor,`)
    const message = await bad([header, ...rows].join('\n'))
    expect(message).toHaveLength(101)
    expect(message!.at(-1)).toBe('and 23 more')
  })

  test('for a vendor column and invisible references in a vendor’s file', async () => {
    expect(await bad(`${header}\n${good(newBssid())}`, 'vendor')).toBe('The vendor column is not allowed')
    const rows = `bssid,platform,model,filtration_system\n${newBssid()},esp32,RO-1200 Office,FS-100`
    expect(await bad(rows, 'vendor')).toEqual([
      'Row 2: model RO-1200 Office not found',
      'Row 2: filtration_system FS-100 not found',
    ])
  })

  test.each([
    ['bssid,platform\n', 'Column model is missing'],
    [`${header},colour\n`, 'Unknown column: colour'],
    [`${header},Model\n`, 'Column model occurs more than once'],
  ])('for the columns %j', async (content, message) => {
    expect(await bad(content)).toContain(message)
  })

  test.each([
    [header, 'The file has no rows below its header'],
    ['\n\n', 'The file is empty'],
    [`${header}\n"unclosed`, 'The file is not valid CSV'],
  ])('%j', async (content, message) => {
    expect(String(await bad(content))).toContain(message)
  })

  test('for text that PostgreSQL cannot store', async () => {
    expect(String(await bad(`${header}\n${newBssid()},esp\u000032,RO-400 Home,,vendor,`))).toContain('Row 2: platform')
  })
})

/** A workbook whose sheet has a header, and then these rows, over and over. */
function repeatedRows(row: string, times: number): Buffer {
  const names = deviceUpload.admin.map(({ name }) => `<c t="str"><v>${name}</v></c>`).join('')
  const book = xlsx([['bssid']])
  const container = CFB.read(book, { type: 'buffer' })
  const sheet = CFB.find(container, '/xl/worksheets/sheet1.xml')!
  sheet.content = Buffer.from(`<worksheet><sheetData><row>${names}</row>${row.repeat(times)}</sheetData></worksheet>`)
  return CFB.write(container, { type: 'buffer', fileType: 'zip', compression: true }) as Buffer
}

/** Returns a zip archive with one entry, whose header has the size `stated`. */
function archive(content: Buffer, stated: number): Buffer {
  const packed = deflateRawSync(content)
  const name = Buffer.from('xl/workbook.xml')
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(stated, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(stated, 24)
  central.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + name.length, 12)
  end.writeUInt32LE(local.length + name.length + packed.length, 16)
  return Buffer.concat([local, name, packed, central, name, end])
}

describe('a hostile file is refused, without harming the server', () => {
  const zeros = Buffer.alloc(300 * 1024 * 1024)
  const files: [what: string, name: string, content: string | Buffer, message: string][] = [
    [
      'an archive that unpacks to more than memory',
      'bomb.xlsx',
      archive(zeros, zeros.length),
      'too large when unpacked',
    ],
    ['an archive with a false size', 'liar.xlsx', archive(zeros, 1000), 'not a readable .xlsx'],
    ['an archive without a workbook', 'empty.xlsx', archive(Buffer.from('<x/>'), 4), 'not a readable .xlsx'],
    ['a truncated archive', 'cut.xlsx', xlsx([['bssid']]).subarray(0, 200), 'not a readable .xlsx'],
    ['text named as a workbook', 'text.xlsx', header, 'content does not match the extension .xlsx'],
    ['a workbook named as text', 'book.csv', xlsx([['bssid']]), 'content does not match the extension .csv'],
    ['another kind of file', 'devices.pdf', '%PDF-1.7', 'must be a .csv or .xlsx file'],
    ['an empty file', 'nothing.csv', '', 'The file is empty'],
    ['Latin-1 text', 'latin.csv', Buffer.from(`${header}\nK\xfcche`, 'latin1'), 'not UTF-8'],
    [
      'a sheet of many more cells than its size tells',
      'cells.xlsx',
      repeatedRows(`<row>${'<c><v>1</v></c>'.repeat(40)}</row>`, 26_000),
      'more than 1,000,000 cells',
    ],
    [
      'a sheet with a text of megabytes',
      'text.xlsx',
      repeatedRows(`<row><c t="str"><v>${'a'.repeat(9_000_000)}</v></c></row>`, 1),
      'A text in the file is too long',
    ],
    ['elements within elements', 'deep.xlsx', repeatedRows('<row>', 100_000), 'nested too deeply'],
    [
      'a row far below the others',
      'far.xlsx',
      repeatedRows('<row r="1048576"><c><v>1</v></c></row>', 1),
      `more than ${maxUploadRows} rows`,
    ],
    ['nine million empty cells', 'commas.csv', ','.repeat(9_000_000), 'too many columns'],
    [
      'too many rows',
      'rows.csv',
      header + '\na,b,c,d,e,f'.repeat(maxUploadRows + 1),
      `more than ${maxUploadRows} rows`,
    ],
  ]
  test.each(files)('%s', async (_, name, content, message) => {
    const answer = await upload(name, content)
    expect(answer.status).toBe(400)
    expect(String(answer.message)).toContain(message)
  })

  test('a sheet with the maximum stated width is read by its cells', async () => {
    const bssid = newBssid()
    const sheet = utils.aoa_to_sheet([
      deviceUpload.admin.map(column => column.name),
      [bssid, 'esp32', 'RO-400 Home', '', 'vendor', ''],
    ])
    sheet['!ref'] = 'A1:XFD100'
    const book = write({ SheetNames: ['x'], Sheets: { x: sheet } }, { type: 'buffer', bookType: 'xlsx' }) as Buffer
    expect(await upload('wide.xlsx', book)).toEqual({ status: 200, data: { created: 1 } })
  }, 60_000)
})
