/** Values by the names that people know them by. */
import type { Option } from '../core/types.ts'

/** What goes by that name: `After`, `18 s` where they are seconds, `5` of `5th`; its value too where `byValue`. */
export function namedIn(
  options: readonly Option[],
  text: string,
  { unit, byValue = false }: { unit?: string | undefined; byValue?: boolean } = {},
): Option | undefined {
  const wanted = text.trim().toLowerCase()
  const bare = unit && wanted.endsWith(unit) ? wanted.slice(0, -unit.length).trim() : wanted
  const called = (name: string) => options.find(option => option.name.toLowerCase() === name)
  const hasValue = ({ value, name }: Option) => {
    const written = plainText(value)
    return value !== null && written.toLowerCase() === bare && (byValue || name.startsWith(written))
  }
  return called(wanted) ?? called(bare) ?? options.find(hasValue)
}

/** A value as it is written without knowing what it means. */
export const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
