/** Uploading filtration systems. */
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import type { FiltrationSystem } from '../../../../src/api/contract/filtration.ts'
import { filtrationSystemUpload } from '../../../../src/domain/uploads.ts'
import { filtrationSystems as table } from '../../../../server/db/schema/filtration.ts'
import { startServer } from '../../support/harness.ts'
import { sendFile, template } from '../../support/calls/sendFile.ts'

const { call, db, signIn } = await startServer()
const token = (await signIn('admin')).access_token
const url = '/api/v3/filtration-systems'

async function systemsBy(query: string) {
  const answer = await call('GET', `${url}?${query}`, { token })
  return answer.json<{ data: { data: z.output<typeof FiltrationSystem>[] } }>().data.data
}
const upload = (content: string | Buffer, name?: string) => sendFile(call, `${url}/file`, token, content, name)

test.each(['csv', 'xlsx'] as const)('an upload accepts the .%s template', async kind => {
  await db.delete(table).where(eq(table.model, filtrationSystemUpload[0]!.example))
  expect(await upload(template(filtrationSystemUpload, kind), `systems.${kind}`)).toEqual({
    status: 200,
    data: { created: 1 },
  })
  const [made] = await systemsBy('search=FS-600')
  expect(made).toMatchObject({
    group: { name: 'Direct flow' },
    vendor: { company_name: 'Aquaterra Water Systems' },
    flushing: true,
    flush: { smart: 'balanced' },
  })
  expect(made!.cartridges.map(one => one.model)).toEqual(['PP-5', 'CTO-10', 'TFC-400', 'T33'])
})

test('an upload accepts CSV from Excel, with the same cartridge twice', async () => {
  const file = '\uFEFFModel;Flushing;Cartridges;Vendor\r\nTwo;NEIN;"pp-5;pp-5";\r\nThree;No;;VENDOR2\r\n'
  expect((await upload(file)).message).toEqual(['Row 2: flushing must be one of yes, no, true, false'])
  expect(await upload(file.replace('NEIN', 'FALSE'))).toEqual({ status: 200, data: { created: 2 } })
  const [two] = await systemsBy('search=Two&operator=eq')
  expect(two).toMatchObject({ group: null, vendor: null, flushing: false, cartridges: [{}, {}] })
})

test('an upload stores all rows or none, and reports errors by row in order', async () => {
  const before = await db.$count(table)
  const answer = await upload(
    [
      'model,group,vendor,flushing,cartridges',
      'New,office,vendor,yes,PP-5',
      'fs-75,Garden,admin,maybe,PP-5;PP-99; T34',
      'NEW,,,,',
      ',,,,',
      ',Office,,,',
      `Many,,,,"${'PP-5;'.repeat(13)}"`,
    ].join('\n'),
  )
  expect(answer).toEqual({
    status: 400,
    message: [
      'Row 3: model fs-75 already exists',
      'Row 3: flushing must be one of yes, no, true, false',
      'Row 3: group Garden not found',
      'Row 3: vendor admin not found',
      'Row 3: cartridges PP-99 not found',
      'Row 3: cartridges T34 not found',
      'Row 4: model NEW is already in row 2',
      'Row 6: model is required',
      'Row 7: cartridges must have at most 12',
    ],
  })
  expect(await db.$count(table)).toBe(before)
})

test('NUL, which PostgreSQL cannot store, is reported with its row', async () => {
  expect(await upload('model,group,vendor\nGood,,\nx\u0000y,Direct\u0000flow,ven\u0000dor')).toEqual({
    status: 400,
    message: [
      'Row 3: model must not contain NUL characters',
      'Row 3: group must not contain NUL characters',
      'Row 3: vendor must not contain NUL characters',
    ],
  })
})
