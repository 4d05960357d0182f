/**
 * Gives each file its own modules, although the files of a worker share Node's module cache (`isolate: false` in
 * vitest.config.ts), because starting a worker for each file took longer than the tests of most files.
 */
import { afterAll, vi } from 'vitest'

afterAll(() => void vi.resetModules())
