/** A field that refers to entities by name. */
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { ReferenceField } from '../../../../../src/commands/surfaces/forms/ReferenceField.tsx'

afterEach(cleanup)

const none = () => Promise.resolve([])

function Groups() {
  const [value, setValue] = useState<unknown>(['North', 'South', 'West'].map(name => ({ value: name, name })))
  return (
    <ReferenceField
      command="device.group"
      inputId="groups"
      describedBy={undefined}
      invalid={false}
      required
      label="Groups"
      choices={none}
      value={value}
      many
      onChange={setValue}
    />
  )
}

test('after an entry is removed by key, the next one has the focus, and after the last one the field', async () => {
  render(<Groups />)
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id
  screen.getByRole('button', { name: 'Remove South' }).focus()
  const seen: (string | undefined)[] = []
  for (let left = 3; left > 0; left--) {
    await userEvent.keyboard('{Enter}')
    seen.push(focused())
  }
  expect(seen).toEqual(['Remove West', 'Remove North', 'groups'])
})
