import type { Command } from '../../core/types.ts'

/**
 * Returns a message for each field whose file was changed after it was chosen; undefined without such a file. The browser refuses
 * to read a changed file, so its upload would fail as if the server could not be reached.
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
