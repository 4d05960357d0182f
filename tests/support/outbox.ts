/** Reading mails as a recipient would. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ReadMail {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The first address in the plain text. */
  readonly link: string
}

/** Returns all mails in the outbox of a data folder, oldest first; none if it has no outbox. */
export async function readOutbox(dataDir: string): Promise<ReadMail[]> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch((): string[] => [])
  const whole = names.filter(name => name.endsWith('.eml'))
  return Promise.all(whole.toSorted().map(async name => readMail(await readFile(join(folder, name), 'utf8'))))
}

/** Reads a mail that has a plain and an HTML part. */
export function readMail(source: string): ReadMail {
  const [head, body] = splitHead(source.replaceAll('\r\n', '\n'))
  const boundary = /boundary="?([^";\n]+)/.exec(head)?.[1]
  if (boundary === undefined) throw new Error('The mail has no parts')
  const parts = body.split(`--${boundary}`).map(part => splitHead(part.trimStart()))
  const part = (type: string) => {
    const found = parts.find(([partHead]) => header(partHead, 'content-type').startsWith(type))
    return found === undefined ? '' : decode(header(found[0], 'content-transfer-encoding'), found[1].trimEnd())
  }
  const text = part('text/plain')
  return {
    to: header(head, 'to'),
    from: header(head, 'from'),
    subject: header(head, 'subject'),
    text,
    html: part('text/html'),
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? '',
  }
}

function splitHead(source: string): [string, string] {
  const at = source.indexOf('\n\n')
  return at < 0 ? [source, ''] : [source.slice(0, at), source.slice(at + 2)]
}

/** Returns a header's value, with folded lines joined. */
const header = (head: string, name: string) =>
  new RegExp(`^${name}: *(.*(?:\\n[ \\t].*)*)`, 'im').exec(head)?.[1]?.replace(/\n[ \t]+/g, ' ') ?? ''

function decode(encoding: string, content: string): string {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return content
  const bytes = content
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
