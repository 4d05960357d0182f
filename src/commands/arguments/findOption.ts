import type { Option } from '../core/types.ts'

/**
 * Returns the option with this name, such as `After`. The name may have the unit (`18 s`) or be the number at its start
 * (`5` for `5th`). With `byValue` the option's value is accepted too.
 */
export function findOption(
  options: readonly Option[],
  text: string,
  { unit, byValue = false }: { unit?: string | undefined; byValue?: boolean } = {},
): Option | undefined {
  const searchText = text.trim().toLowerCase()
  const bare = unit && searchText.endsWith(unit) ? searchText.slice(0, -unit.length).trim() : searchText
  const withName = (name: string) => options.find(option => option.name.toLowerCase() === name)
  const hasValue = ({ value, name }: Option) => {
    const valueText = plainText(value)
    return value !== null && valueText.toLowerCase() === bare && (byValue || name.startsWith(valueText))
  }
  return withName(searchText) ?? withName(bare) ?? options.find(hasValue)
}

/** Returns the options with exactly this name, or else those with this name in other capitals. */
export function optionsNamed(options: readonly Option[], text: string): readonly Option[] {
  const name = text.trim()
  const sameLetters = options.filter(option => option.name.toLowerCase() === name.toLowerCase())
  const exact = sameLetters.filter(option => option.name === name)
  return exact.length > 0 ? exact : sameLetters
}

/** Returns a value as text, without the names of its options or its unit. */
export const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
