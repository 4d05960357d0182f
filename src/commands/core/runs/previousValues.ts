/** What an edit of one thing replaces, so that it can be put back. */
import type { PreviousValues } from '../../../api/contract/endpoint.ts'

/** Of what is changed, what it was before; `had` is by the names of the command’s arguments. */
export const previousValues = (
  id: string,
  changes: Readonly<Record<string, unknown>>,
  had: Readonly<Record<string, unknown>>,
): readonly PreviousValues[] => {
  const names = Object.keys(changes).filter(name => changes[name] !== undefined)
  return [{ ids: [id], values: Object.fromEntries(names.map(name => [name, had[name]])) }]
}
