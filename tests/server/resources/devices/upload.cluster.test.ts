/** Uploading devices while others change, delete or lock what the upload needs. */
import { eq, sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceCredentials } from '../../../../server/db/schema/wire.ts'
import { until } from '../../../support/until.ts'
import { startServer } from '../../support/harness.ts'
import { sendFile, type UploadAnswer } from '../../support/calls/sendFile.ts'

const { call, db, signIn } = await startServer()
const { access_token: token } = await signIn('admin')
const { user_id: vendor } = await signIn('vendor')
const { user_id: other } = await signIn('vendor2')

const model = 'of-the-file'
await db.execute(sql`insert into device_models
  (id, platform, name, owner_id, capabilities, bypass_flow_rates, created_at, updated_at)
  values (${model}, 'esp32', 'Of the file', null, '{}', '{0,0,0,0}', now(), now())`)
await db.execute(sql`insert into device_model_vendors (model_id, vendor_id) values (${model}, ${vendor})`)
const key = '02:00:00:00:FF:01'
const file = `bssid,platform,model,filtration_system,vendor\n${key},esp32,Of the file,FS-400,vendor`

/** Returns the response to an upload that starts before the change is committed. */
async function uploadDuring(...change: SQL[]): Promise<UploadAnswer> {
  let isDone = false
  const uploading = await db.transaction(async tx => {
    for (const statement of change) await tx.execute(statement)
    const answer = sendFile(call, '/api/v3/devices/file', token, file).finally(() => {
      isDone = true
    })
    // Waits until the upload is blocked by the change, or done.
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => {
      if (!isDone) expect((await db.execute(waits)).rows).toHaveLength(1)
    })
    return { answer }
  })
  return uploading.answer
}

test('a device that is created meanwhile is a conflict, and gets no credentials from the file', async () => {
  const created = sql`insert into devices (bssid, platform, model_id, vendor_id, created_at, updated_at)
    values (${key}, 'esp32', ${model}, ${other}, now(), now())`
  expect(await uploadDuring(created)).toEqual({
    status: 409,
    message: 'A device in this file was created by someone else in the meantime. No device was created.',
  })
  expect(await db.$count(deviceCredentials, eq(deviceCredentials.bssid, key))).toBe(0)
  await db.delete(devices).where(eq(devices.bssid, key))
})

test('devices have their credentials although their tables cannot be vacuumed yet', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => {
    const digits = index.toString(16).padStart(4, '0')
    return `02:00:00:01:${digits.slice(0, 2)}:${digits.slice(2)},esp32,RO-400 Home,,vendor`
  })
  const answer = await db.transaction(async tx => {
    await tx.execute(sql`lock table devices in share update exclusive mode`)
    return sendFile(
      call,
      '/api/v3/devices/file',
      token,
      ['bssid,platform,model,filtration_system,vendor', ...rows].join('\n'),
    )
  })
  expect(answer.status).toBe(200)
  expect(answer.data?.credentials).toHaveLength(1000)
})

test.each([
  [
    'a filtration system that is assigned to another vendor',
    [sql`update filtration_systems set vendor_id = ${other} where model = 'FS-400'`],
    sql`update filtration_systems set vendor_id = ${vendor} where model = 'FS-400'`,
    'Row 2: filtration_system FS-400 is not assigned to vendor vendor',
  ],
  [
    'a model that is offered to another vendor',
    [
      sql`select from device_models where id = ${model} for update`,
      sql`update device_model_vendors set vendor_id = ${other} where model_id = ${model}`,
    ],
    sql`update device_model_vendors set vendor_id = ${vendor} where model_id = ${model}`,
    'Row 2: model Of the file is not offered to vendor vendor',
  ],
  [
    'a model that is deleted',
    [sql`delete from device_models where id = ${model}`],
    undefined,
    'Row 2: model Of the file not found',
  ],
])('%s meanwhile is reported, and nothing is stored', async (_, change, back, message) => {
  expect(await uploadDuring(...change)).toEqual({ status: 400, message: [message] })
  expect(await db.$count(devices, eq(devices.bssid, key))).toBe(0)
  if (back) await db.execute(back)
})
