/**
 * Thrown for invalid arguments: a message for each field, and under the empty name one for the arguments as a whole.
 */
export class InvalidInput extends Error {
  readonly fields: Readonly<Record<string, string>>
  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields).join(', '))
    this.fields = fields
  }
}
