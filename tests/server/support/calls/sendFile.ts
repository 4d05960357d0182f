/** Uploads as a browser sends them. */
import { utils, write } from '@e965/xlsx'
import type { Credential } from '../../../../src/api/contract/devices.ts'
import type { UploadColumn } from '../../../../src/domain/uploads.ts'
import type { TestServer } from '../harness.ts'

export interface UploadAnswer {
  readonly status: number
  /** Uploaded devices have their credentials, which are returned only once. */
  readonly data?: { readonly created: number; readonly credentials?: readonly Credential[] }
  readonly message?: string | string[]
}

/** Uploads one file; its type is the extension of `name`. */
export async function sendFile(
  call: TestServer['call'],
  url: string,
  token: string,
  content: string | Buffer,
  name = 'file.csv',
): Promise<UploadAnswer> {
  const form = new FormData()
  form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  const request = new Response(form)
  const answer = await call('POST', url, {
    token,
    body: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type')! },
  })
  return { status: answer.statusCode, ...answer.json<Omit<UploadAnswer, 'status'>>() }
}

/** Returns a template as the console creates it: the header and an example row. */
export function template(columns: readonly UploadColumn[], kind: 'csv' | 'xlsx'): Buffer {
  const sheet = utils.aoa_to_sheet([columns.map(column => column.name), columns.map(column => column.example)])
  return Buffer.from(
    write({ SheetNames: ['x'], Sheets: { x: sheet } }, { type: 'array', bookType: kind }) as ArrayBuffer,
  )
}
