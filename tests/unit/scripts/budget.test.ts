import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { measureScripts } from '../../../scripts/budget.ts'

it('measures the files needed for the first row, also of a reload, and all files', () => {
  const manifest = {
    'index.html': { file: 'index.js', name: 'index', imports: ['_shared.js'] },
    '_app.js': { file: 'app.js', name: 'app', imports: ['_shared.js'] },
    '_shared.js': { file: 'shared.js' },
    'src/screens/devices/DevicesScreen.tsx': { file: 'devices.js', imports: ['_shared.js', '_table.js'] },
    '_table.js': { file: 'table.js', imports: ['_shared.js'] },
    'src/shell/address.ts': { file: 'address.js', name: 'address', imports: ['_shared.js', '_schemas.js'] },
    '_schemas.js': { file: 'schemas.js' },
    'src/screens/charts/Charts.tsx': { file: 'charts.js', imports: ['_shared.js'] },
    'theme.css': { file: 'theme.css' },
  }
  // Random bytes do not compress, so each file weighs about 1 kB.
  const { firstRow, reload, all } = measureScripts(manifest, () => randomBytes(1000))
  expect(firstRow).toBeCloseTo(5, 0)
  expect(reload).toBeCloseTo(7, 0)
  expect(all).toBeCloseTo(8, 0)
})

it('fails if a chunk has been renamed', () => {
  expect(() => measureScripts({ 'index.html': { file: 'index.js', name: 'index' } }, () => Buffer.of())).toThrow(
    'There is no chunk named app',
  )
})
