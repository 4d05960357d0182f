/**
 * Gives each file its own modules, although the files of a worker share what Node has loaded (`isolate: false` in
 * vitest.config.ts): a new worker for each file took longer than most files' tests.
 */
import { afterAll, vi } from 'vitest'

afterAll(() => void vi.resetModules())
