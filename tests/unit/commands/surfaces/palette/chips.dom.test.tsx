/** How the palette shows the arguments that are typed behind a command's name. */
import { cleanup, render, screen } from '@testing-library/react'
import { Command as Menu } from 'cmdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentContext } from '../../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import { CommandSection } from '../../../../../src/commands/surfaces/palette/PaletteSections.tsx'

class ResizesNever {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const scroll = 'scrollIntoView'
beforeEach(() => {
  vi.stubGlobal('ResizeObserver', ResizesNever)
  // jsdom has no layout, and no method for it.
  Object.defineProperty(Element.prototype, scroll, { value: () => undefined, configurable: true })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(Element.prototype, scroll)
})

test.each([
  [undefined, 'Model: RO-400 …'],
  [1, 'Model: RO-400 (1 match)'],
  [2, 'Model: RO-400 (2 matches)'],
])('with %s matches an argument reads %s', (matches, text) => {
  const command = commandOf('device.model')
  const ambiguous = { field: command.fields[0]!, text: 'RO-400', matches }
  const entry = {
    command,
    label: command.id,
    blocked: undefined,
    score: 1,
    nameScore: 1,
    nameQuery: '',
    inlineArguments: { parsed: [], unparsed: [], ambiguous },
  }
  const section = { title: 'Commands', entries: [entry] }
  render(
    <Menu>
      <Menu.List>
        <CommandSection section={section} context={currentContext()} onChoose={() => undefined} />
      </Menu.List>
    </Menu>,
  )
  expect(screen.getByText(text)).toBeTruthy()
})
