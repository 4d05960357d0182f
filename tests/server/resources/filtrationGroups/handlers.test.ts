import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { List } from '../../../../src/api/contract/endpoint.ts'
import { groupUpload } from '../../../../src/domain/uploads.ts'
import { filtrationSystemGroups as table } from '../../../../server/db/schema/filtration.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { startServer } from '../../support/harness.ts'
import { sendFile, template } from '../../support/calls/sendFile.ts'

const { call, db, signIn } = await startServer()
const admin = (await signIn('admin')).access_token
const vendor = (await signIn('vendor')).access_token

type Groups = List<{ _id: string; name: string }>
const namesAt = async (url: string, token: string) => {
  const answer = await call('GET', url, { token })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: Groups }>().data.data.map(({ name }) => name)
}
const upload = (content: string | Buffer, name?: string) =>
  sendFile(call, '/api/v4/filtration-system-groups/file', admin, content, name)
const rename = (id: string, name: string) =>
  call('PUT', `/api/v3/filtration-system-groups/${id}`, { token: admin, body: { name } })

describe('lists', () => {
  test('have all groups for administrators', async () => {
    const all = ['Direct flow', 'Mineral', 'Office', 'Under-sink']
    expect(await namesAt('/api/v4/filtration-system-groups?sort=name', admin)).toEqual(all)
    expect(await namesAt('/api/v3/filtration-systems/groups?sort=name', admin)).toEqual(all)
    expect(await namesAt('/api/v4/filtration-system-groups?search=FLOW', admin)).toEqual(['Direct flow'])
  })

  test('have the groups of a vendor’s own systems for that vendor', async () => {
    expect(await namesAt('/api/v3/filtration-systems/groups?sort=name', vendor)).toEqual(['Direct flow', 'Under-sink'])
    expect(await namesAt('/api/v3/filtration-systems/groups?search=Office', vendor)).toEqual([])
    expect((await call('GET', '/api/v4/filtration-system-groups', { token: vendor })).statusCode).toBe(403)
  })
})

describe('renaming', () => {
  test('returns the group, and can change the case of its name', async () => {
    const answer = await rename(demoId('group Mineral'), ' MINERAL ')
    expect(answer.json()).toMatchObject({ data: { _id: demoId('group Mineral'), name: 'MINERAL' } })
    expect((await rename(demoId('group Mineral'), 'Mineral')).statusCode).toBe(200)
  })

  test.each([
    ['group Mineral', 'direct FLOW', 409, 'A group of this name already exists'],
    ['group Mineral', ' ', 400, 'Name is required'],
    ['group None', 'Fresh', 404, 'Group not found'],
  ])('refuses %s to %j', async (group, name, status, message) => {
    const answer = await rename(demoId(group), name)
    expect(answer.json()).toEqual({ message })
    expect(answer.statusCode).toBe(status)
  })
})

describe('uploads', () => {
  test.each(['csv', 'xlsx'] as const)('accept the .%s template', async kind => {
    await db.delete(table).where(eq(table.name, groupUpload[0]!.example))
    expect(await upload(template(groupUpload, kind), `groups.${kind}`)).toEqual({ status: 200, data: { created: 1 } })
  })

  test('store all rows or none, and report errors by row', async () => {
    const before = await db.$count(table)
    const answer = await upload(`Name\nFresh\noffice\n\nÄlpisch\nFRESH\nälpisch\n${'x'.repeat(201)}\n"a\u0007"`)
    expect(answer).toEqual({
      status: 400,
      message: [
        'Row 3: name office already exists',
        'Row 6: name FRESH is already in row 2',
        'Row 7: name älpisch is already in row 5',
        'Row 8: name must be at most 200 characters',
        'Row 9: name must not contain control characters',
      ],
    })
    expect(await db.$count(table)).toBe(before)
  })

  test('report names as duplicates that differ in JavaScript but not in the database', async () => {
    expect(await upload('name\nİstanbul\nistanbul')).toEqual({
      status: 400,
      message: ['Row 3: name istanbul is already in row 2'],
    })
  })

  test('store each name once if concurrent', async () => {
    const answers = await Promise.all([upload('name\nTwice'), upload('name\nTwice')])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
  })
})
