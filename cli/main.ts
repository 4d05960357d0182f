#!/usr/bin/env node
/** The command line of Permeate: `npx permeate`. It calls a server's API with a key. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Compiled modules are kept for the next call: compiling them takes most of its time.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compile'))
const [{ runProgram }, { openTerminal }] = await Promise.all([import('./program.ts'), import('./terminal.ts')])

process.exitCode = await runProgram(process.argv.slice(2), process.env, openTerminal(process))
