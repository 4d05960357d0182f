/** The choices of water supplies: labels in use, and the typed one. */
import { afterEach, expect, test, vi } from 'vitest'
import { supplyChoices } from '../../../../src/commands/arguments/choices.ts'

const inUse = ['Harbour main', 'North', 'North 2']
afterEach(() => vi.unstubAllGlobals())

async function offered(query: string) {
  vi.stubGlobal('fetch', async (url: string) => {
    const search = new URL(url, 'http://localhost').searchParams.get('search') ?? ''
    const data = inUse.filter(label => label.toLowerCase().includes(search.toLowerCase()))
    return new Response(JSON.stringify({ data }))
  })
  const options = await supplyChoices({} as never, query, new AbortController().signal)
  return options.map(({ value, detail }) => (detail === undefined ? value : [value, detail]))
}

test.each([
  ['without text: those in use, then none', '', [...inUse, null]],
  ['a new label first, then those that contain it', ' nor ', [['nor', 'New label'], 'North', 'North 2']],
  ['a label in use once, as it is written there', 'NORTH', ['North', 'North 2']],
  ['a new label alone', 'Hill', [['Hill', 'New label']]],
  ['none by its name', 'no water', [['no water', 'New label'], null]],
])('%s', async (_, query, expected) => {
  expect(await offered(query)).toEqual(expected)
})
