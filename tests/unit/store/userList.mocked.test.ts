/** A user's stored list, with a full storage, invalid entries and other tabs. */
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createUserList } from '../../../src/store/userList.ts'
import { until } from '../../support/until.ts'
import { setFull, stored } from '../support/storage.ts'

vi.mock('idb-keyval', () => import('../support/storage.ts'))

interface Note {
  readonly id: string
  readonly text: string
}
let shown: readonly Note[] = []
const notes = createUserList<Note>('notes', z.object({ id: z.string(), text: z.string() }), list => (shown = list))

const note = (id: string, text = id): Note => ({ id, text })
const add = (one: Note) => notes.change(list => [...list, one])
const drop = (id: string) => notes.change(list => list.filter(one => one.id !== id))
const put = (one: Note) => notes.change(list => list.map(other => (other.id === one.id ? one : other)))

afterEach(async () => {
  setFull(false)
  await notes.load(undefined)
  stored.clear()
})

test('an entry that could not be stored is shown, also after the list was read again', async () => {
  stored.set('notes:u1', [note('a')])
  await notes.load('u1')
  setFull(true)
  expect(await add(note('b'))).toBe(false)
  expect(shown).toEqual([note('a'), note('b')])
  // Another tab has written meanwhile.
  stored.set('notes:u1', [note('a'), note('c')])
  await notes.load('u1')
  expect(shown).toEqual([note('a'), note('c'), note('b')])
  expect(stored.get('notes:u1')).toEqual([note('a'), note('c')])
})

test('an entry that could not be stored is stored in its order with the next change that succeeds', async () => {
  stored.set('notes:u1', [note('o')])
  await notes.load('u1')
  setFull(true)
  await add(note('a'))
  await add(note('b'))
  setFull(false)
  expect(await put(note('a', 'other'))).toBe(true)
  expect(shown).toEqual([note('o'), note('a', 'other'), note('b')])
  expect(stored.get('notes:u1')).toEqual(shown)
  await notes.load('u1')
  await drop('b')
  expect(stored.get('notes:u1')).toEqual([note('o'), note('a', 'other')])
})

test('a change by another tab is shown when that tab announces it', async () => {
  await notes.load('u1')
  const otherTab = new BroadcastChannel('permeate')
  stored.set('notes:u1', [note('a')])
  otherTab.postMessage('notes:u1')
  await until(() => expect(shown).toEqual([note('a')]))
  otherTab.close()
})

test('valid entries are shown, and invalid ones stay stored unchanged', async () => {
  const newer = { id: 'n', words: ['of a newer version'] }
  stored.set('notes:u1', [note('a'), newer, note('b'), 7])
  await notes.load('u1')
  expect(shown).toEqual([note('a'), note('b')])
  await drop('a')
  await add(note('c'))
  expect(shown).toEqual([note('b'), note('c')])
  expect(stored.get('notes:u1')).toEqual([...shown, newer, 7])
})

test('a stored value that is no list is kept beside the new entries', async () => {
  stored.set('notes:u1', { all: [note('a')] })
  await notes.load('u1')
  await add(note('b'))
  expect(shown).toEqual([note('b')])
  expect(stored.get('notes:u1')).toEqual([note('b'), { all: [note('a')] }])
})

test('entries removed from the storage are stored again with the next change', async () => {
  stored.set('notes:u1', [note('a')])
  await notes.load('u1')
  stored.clear()
  await add(note('b'))
  expect(stored.get('notes:u1')).toEqual([note('a'), note('b')])
})

test('concurrent changes are each applied once', async () => {
  await notes.load('u1')
  await Promise.all([add(note('a')), notes.load('u1'), add(note('b')), drop('a'), notes.load('u1')])
  expect(shown).toEqual([note('b')])
  expect(stored.get('notes:u1')).toEqual(shown)
})

test('a change is stored for its user even if the list of another one is shown before it ended', async () => {
  await notes.load('u1')
  const added = add(note('a'))
  await notes.load('u2')
  await added
  expect(shown).toEqual([])
  expect([...stored.keys()]).toEqual(['notes:u1'])
})
