import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { cartridgeTypeUpload } from '../../../../src/domain/uploads.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes as table } from '../../../../server/db/schema/filtration.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { startServer } from '../../support/harness.ts'
import { sendFile, template } from '../../support/calls/sendFile.ts'

const { call, db, signIn } = await startServer()
const token = (await signIn('admin')).access_token

const upload = (content: string | Buffer, name?: string) =>
  sendFile(call, '/api/v3/cartridge-types/file', token, content, name)
const edit = (model: string, body: object) =>
  call('PUT', `/api/v3/cartridge-types/${demoId(`cartridge ${model}`)}`, { token, body })
const modelsBy = async (query: string) => {
  const answer = await call('GET', `/api/v3/cartridge-types?${query}`, { token })
  return answer.json<{ data: { data: { model: string }[] } }>().data.data.map(({ model }) => model)
}

describe('the list', () => {
  test('searches and sorts by displayed values', async () => {
    expect(await modelsBy('search=tfc&sort=resource&direction=desc')).toEqual(['TFC-400', 'TFC-100', 'TFC-75'])
    expect(await modelsBy('column=type&operator=eq&search=post-filter&sort=model')).toEqual(['MIN-10', 'T33'])
    expect(await modelsBy('column=name&search=CARBON&sort=name')).toEqual(['CTO-10', 'T33'])
    expect((await modelsBy('sort=name'))[0]).toBe('CTO-10')
    expect(await modelsBy('column=description&operator=ew&search=tank.&sort=model')).toEqual(['T33', 'TFC-400'])
  })

  test.each(['model', 'type', 'resource', 'ttl', 'name', 'description', 'purchase_url', 'image_url', 'created_at'])(
    'sorts by %s in both directions',
    async column => {
      expect(await modelsBy(`sort=${column}`)).toEqual((await modelsBy(`sort=${column}&direction=desc`)).toReversed())
    },
  )
})

describe('editing', () => {
  test('changes the given fields and returns the type', async () => {
    const answer = await edit('T33', { description: 'New', purchase_url: 'https://example.com/t33' })
    expect(answer.json()).toMatchObject({
      data: { model: 'T33', ttl: 365, description: 'New', purchase_url: 'https://example.com/t33' },
    })
    expect((await edit('T33', { purchase_url: '' })).json()).toMatchObject({ data: { purchase_url: '' } })
  })

  test.each([
    [{ model: 'pp-5' }, 409, 'A cartridge type of this model already exists'],
    [{ model: 'A;B' }, 400, 'Model must not contain a semicolon'],
    [{ type: 3 }, 400, 'Type must be less than or equal to 2'],
    [{ resource: 0 }, 400, 'Resource must be greater than or equal to 1'],
    [{ ttl: 3651 }, 400, 'Ttl must be less than or equal to 3650'],
    [{ ttl: 1.5 }, 400, 'Ttl must be an integer'],
    [{ name: '' }, 400, 'Name is required'],
    [{ image_url: 'javascript:alert(1)' }, 400, 'Image url must be a web address'],
    [{ purchase_url: 'data:text/html,x' }, 400, 'Purchase url must be a web address'],
    [{ purchase_url: 'example.com' }, 400, 'Purchase url must be a web address'],
  ])('refuses %j', async (body, status, message) => {
    const answer = await edit('T33', body)
    expect(answer.json()).toEqual({ message })
    expect(answer.statusCode).toBe(status)
  })

  test('returns 404 for an unknown type', async () => {
    expect((await edit('none', { name: 'x' })).json()).toEqual({ message: 'Cartridge type not found' })
  })

  test('changes the replacement date of every device when the time to live changes', async () => {
    const due = async () => {
      const { rows } = await db.execute<{ wrong: number }>(sql`
        select count(*)::int as wrong from devices d where next_replacement_at is distinct from (
          select min(installed_at + ttl * interval '24 hours') from device_cartridges c
          join cartridge_types t on t.id = c.cartridge_type_id where c.bssid = d.bssid)`)
      return rows[0]!.wrong
    }
    expect(await due()).toBe(0)
    const before = await db.select({ at: devices.next_replacement_at }).from(devices).orderBy(devices.bssid)
    expect((await edit('PP-5', { ttl: 1 })).statusCode).toBe(200)
    expect(await due()).toBe(0)
    const after = await db.select({ at: devices.next_replacement_at }).from(devices).orderBy(devices.bssid)
    expect(after).not.toEqual(before)
    await edit('PP-5', { ttl: 180 })
    expect(await db.select({ at: devices.next_replacement_at }).from(devices).orderBy(devices.bssid)).toEqual(before)
  })
})

describe('uploads', () => {
  const header = 'model,type,resource,ttl,name,description,purchase_url,image_url'
  const good = (model: string) => `${model},membrane,60000,1095,Membrane,,,`

  test.each(['csv', 'xlsx'] as const)('accept the .%s template', async kind => {
    await db.delete(table).where(eq(table.model, cartridgeTypeUpload[0]!.example))
    expect(await upload(template(cartridgeTypeUpload, kind), `types.${kind}`)).toEqual({
      status: 200,
      data: { created: 1 },
    })
    const [stored] = await db.select().from(table).where(eq(table.model, cartridgeTypeUpload[0]!.example))
    expect(stored).toMatchObject({ type: 2, resource: 90_000, ttl: 1095, image_url: 'https://example.com/tfc-600.jpg' })
  })

  test('accept types in several spellings', async () => {
    const file = `${header}\nA-1,Pre Filter,1,1,a,,,\nA-2,POST-FILTER,1,1,a,,,\nA-3,Membrane,1,1,a,,,`
    expect(await upload(file)).toEqual({ status: 200, data: { created: 3 } })
    expect(await modelsBy('search=A-&operator=sw&sort=type')).toEqual(['A-1', 'A-2', 'A-3'])
  })

  test('store all rows or none, and report errors by row in order', async () => {
    const before = await db.$count(table)
    const answer = await upload(
      [
        header,
        good('N-1'),
        good('t33'),
        good('n-1'),
        'N-2,sieve,12.5,0,,,,',
        'N-3,membrane,many,3651,x,,ftp://example.com,javascript:alert(1)',
        'N;4,membrane,0x10,1,x,,,',
      ].join('\n'),
    )
    expect(answer.message).toEqual([
      'Row 3: model t33 already exists',
      'Row 4: model n-1 is already in row 2',
      'Row 5: name is required',
      'Row 5: type must be one of pre-filter, post-filter, membrane',
      'Row 5: resource must be an integer',
      'Row 5: ttl must be greater than or equal to 1',
      'Row 6: resource must be a number',
      'Row 6: ttl must be less than or equal to 3650',
      'Row 6: purchase_url must be a web address',
      'Row 6: image_url must be a web address',
      'Row 7: model must not contain a semicolon',
      'Row 7: resource must be a number',
    ])
    expect(answer.status).toBe(400)
    expect(await db.$count(table)).toBe(before)
  })
})
