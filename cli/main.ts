#!/usr/bin/env node
/** The command line of Permeate: `npx permeate`. It calls a server's API with a key. */
import { runProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

process.exitCode = await runProgram(process.argv.slice(2), process.env, openTerminal(process))
