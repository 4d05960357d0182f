/** The drafts of the script editor: kept when it is closed, as long as there is what they are about. */
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resetUserState } from '../../../../../src/commands/people/session.ts'
import { deleteScript, importScripts, saveScript } from '../../../../../src/commands/scripts/library.ts'
import { setSteps, startRecording } from '../../../../../src/commands/scripts/recorder.ts'
import { formatScripts } from '../../../../../src/commands/scripts/scriptFile.ts'
import { ScriptDialogs } from '../../../../../src/commands/surfaces/scripts/ScriptDialogs.tsx'
import { overlay } from '../../../../../src/store/overlays.ts'
import type { Step } from '../../../../../src/store/scripts/recording.ts'
import { loadScripts, scripts } from '../../../../../src/store/scripts/scripts.ts'
import { mockPersistence } from '../../../support/persisted.ts'

const flush: Step = { command: 'device.flush', input: {}, ask: [] }

beforeEach(async () => {
  mockPersistence()
  await loadScripts('someone')
  render(<ScriptDialogs />)
})
afterEach(async () => {
  overlay.scripts = undefined
  setSteps(undefined)
  cleanup()
  await loadScripts(undefined)
})

function record() {
  startRecording()
  setSteps([flush])
}
const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
const open = async (id?: string) => {
  act(() => void (overlay.scripts = { view: 'edit', ...(id !== undefined && { id }) }))
  return nameField()
}
async function close() {
  act(() => void (overlay.scripts = undefined))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}
async function draft(name: string, id?: string) {
  fireEvent.change(await open(id), { target: { value: name } })
  await close()
  expect((await open(id)).value).toBe(name)
  await close()
}
async function saved(name: string) {
  await act(() => saveScript(undefined, { name, go_on: false, steps: [flush] }))
  return scripts.list.at(-1)!
}

test('the draft of a recording ends with the recording', async () => {
  act(record)
  await draft('Kitchen')
  act(() => setSteps([flush, flush]))
  expect((await open()).value).toBe('Kitchen')
  await close()
  act(() => setSteps(undefined))
  act(record)
  expect((await open()).value).toBe('')
})

test('another person does not see the draft of a recording', async () => {
  act(record)
  await draft('Kitchen')
  act(() => resetUserState({ reload: false }))
  expect((await open()).value).toBe('')
})

test('a script that was changed elsewhere is shown as it is', async () => {
  const script = await saved('Rinse')
  await draft('Rinse twice', script.id)
  await act(() => saveScript(script.id, { ...script, name: 'Rinse well' }))
  expect((await open(script.id)).value).toBe('Rinse well')
})

test('a draft stays when another script is saved, and goes with its script', async () => {
  const script = await saved('Rinse')
  await draft('Rinse twice', script.id)
  await saved('Lock')
  expect((await open(script.id)).value).toBe('Rinse twice')
  await close()
  const file = formatScripts([script])
  await act(() => deleteScript(script))
  await act(() => importScripts(file))
  expect((await open(scripts.list.at(-1)!.id)).value).toBe('Rinse')
})
