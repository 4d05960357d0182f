import type { Command } from '../../core/types.ts'

/**
 * Returns messages by field for files that were changed after they were chosen, which the browser refuses to read; undefined if
 * there are none. An upload of such a file would fail as if the server could not be reached.
 */
export async function changedFiles(
  { fields }: Pick<Command, 'fields'>,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const errors: Record<string, string> = {}
  for (const { name, label } of fields) {
    const value = input[name]
    if (value instanceof File && !(await isReadable(value))) errors[name] = `${label} was changed. Choose it again`
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
