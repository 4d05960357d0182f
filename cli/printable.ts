/** Makes texts that people have typed safe for a terminal, which would carry out control sequences in them. */
import { stripVTControlCharacters } from 'node:util'

/** C0 and C1 control characters, and those that change the direction of the text around them. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Returns a text on one line, without control characters and sequences. */
export const printable = (text: string): string =>
  stripVTControlCharacters(text.replaceAll(/[\t\n\r]+/g, ' ')).replaceAll(unsafe, '')

/** Returns a value as JSON on one line, in which control characters are escaped, also those that JSON allows. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unsafe, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
