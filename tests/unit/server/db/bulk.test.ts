import { expect, test } from 'vitest'
import { flatMapLazily } from '../../../../server/core/batches.ts'
import { insertMany } from '../../../../server/db/bulk.ts'
import type { Database } from '../../../../server/db/database.ts'
import { filtrationSystemGroups } from '../../../../server/db/schema/filtration.ts'

test('generated rows are made for one statement at a time', async () => {
  const madeBefore: number[] = []
  let made = 0
  const db = { execute: async () => madeBefore.push(made) } as unknown as Database
  const rows = flatMapLazily(Array<number>(2500).fill(0), () => {
    made += 2
    return [{ name: 'a' }, { name: 'b' }]
  })
  await insertMany(db, filtrationSystemGroups, rows)
  expect(madeBefore).toEqual([2000, 4000, 5000])
})

test('no rows are no statement', async () => {
  const db = { execute: () => Promise.reject(new Error('a statement')) } as unknown as Database
  await expect(insertMany(db, filtrationSystemGroups, [])).resolves.toBeUndefined()
})
