/** What the pager says of the number of rows. */
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Pager } from '../../../../../src/commands/surfaces/list/Pager.tsx'

test.each([
  [undefined, false, ['… devices', '1–0 of …']],
  [1204, false, ['1,204 devices', '1–20 of 1,204']],
  [180_000, true, ['≈ 180,000 devices', '1–20 of ≈ 180,000']],
])('of %s rows, estimated: %s', (count, isEstimate, texts) => {
  const { container, unmount } = render(<Pager entity="devices" count={count} isEstimate={isEstimate} />)
  for (const text of texts) expect(container.textContent).toContain(text)
  unmount()
})
