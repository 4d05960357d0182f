/** Where the program prints: results to standard output, everything else to standard error. */

export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a line for people. */
  say(line: string): void
  /** Replaces the line of the progress, which people see on a terminal; an empty text removes it. */
  progress(line: string): void
  /** Characters of a line; infinite if the output is not read on a terminal. */
  readonly width: number
  /** Whether the result is shown on a terminal. */
  readonly isInteractive: boolean
}

/** Opens the terminal of this process. */
export function openTerminal({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): Terminal {
  // A program that reads only the first lines, such as `head`, is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  let isProgressShown = false
  const progress = (line: string) => {
    if (!stderr.isTTY || (line === '' && !isProgressShown)) return
    // To the beginning of the line, and delete it.
    stderr.write(`\r\u001b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`)
    isProgressShown = line !== ''
  }
  return {
    print: line => {
      progress('')
      stdout.write(`${line}\n`)
    },
    say: line => {
      progress('')
      stderr.write(`${line}\n`)
    },
    progress,
    width: stdout.isTTY ? stdout.columns : Infinity,
    isInteractive: stdout.isTTY,
  }
}
