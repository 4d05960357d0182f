/** `list --all` reads every row, also while the list changes. */
import { afterEach, expect, test, vi } from 'vitest'
import { runProgram } from '../../../cli/program.ts'

const environment = { PERMEATE_URL: 'http://127.0.0.1:1', PERMEATE_KEY: `permeate_${'A'.repeat(43)}` }

/** Answers with the pages of a list, which changes after each page is read. */
function serve(ids: readonly string[], change: (page: number, ids: readonly string[]) => readonly string[]) {
  let rows = ids
  let page = 0
  vi.stubGlobal('fetch', (address: string | URL) => {
    const query = new URL(address).searchParams
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit'))]
    const data = { count: rows.length, data: rows.slice(offset, offset + limit).map(_id => ({ _id })) }
    rows = change(++page, rows)
    return Promise.resolve(new Response(JSON.stringify({ data })))
  })
}

async function listAll(...options: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runProgram(['vendors', 'list', '--all', '--json', ...options], environment, {
    print: line => out.push((JSON.parse(line) as { _id: string })._id),
    say: line => err.push(line),
    progress: () => undefined,
    width: Infinity,
    isInteractive: false,
  })
  return { code, ids: out, err }
}

const names = (count: number, prefix = 'vendor') => Array.from({ length: count }, (_, index) => `${prefix} ${index}`)

afterEach(() => vi.unstubAllGlobals())

test('rows that are deleted meanwhile take no others with them', async () => {
  const ids = names(2500)
  serve(ids, (page, rows) => (page === 1 ? rows.slice(3) : rows))
  const { code, ids: read } = await listAll()
  expect(code).toBe(0)
  expect(read.filter(id => ids.indexOf(id) > 2)).toEqual(ids.slice(3))
})

test('rows that are added before a page repeat none, and the end says that the list changed', async () => {
  const ids = names(2500)
  serve(ids, (page, rows) => (page === 1 ? [...names(2, 'new'), ...rows] : rows))
  const { ids: read, err } = await listAll()
  expect(new Set(read).size).toBe(read.length)
  expect(read).toEqual(expect.arrayContaining(ids))
  expect(err).toEqual(['The list changed while it was read: it had 2,502 rows at the end.'])
})

test('from an offset on, in an order', async () => {
  const ids = names(1500)
  serve(ids, (_, rows) => rows)
  expect(await listAll('--offset', '10', '--sort', 'company_name')).toEqual({ code: 0, ids: ids.slice(10), err: [] })
})
