/** Returns the keys of a table with their type. The annotation lets the console leave out lists of keys that it does not use. */
/* @__NO_SIDE_EFFECTS__ */
export function typedKeys<Key extends string>(table: Readonly<Record<Key, unknown>>): [Key, ...Key[]] {
  return Object.keys(table) as [Key, ...Key[]]
}
