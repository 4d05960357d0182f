/** Sends mail by SMTP if it is configured; otherwise writes it to files. */
import { mkdir, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Config } from '../core/config.ts'
import { renameDurably } from '../core/durableMove.ts'
import { newId } from '../db/id.ts'
import type { Log } from '../core/log.ts'
import type { MailMessage } from './messages.ts'

export interface Mail {
  /** Sends a mail to an email address. Throws if that fails. */
  readonly send: (to: string, message: MailMessage) => Promise<void>
}

const Address = z.email()
/** Returns whether a login is an email address. */
export const isAddress = (login: string): boolean => z.safeParse(Address, login).success

/** Loaded when the first mail is sent, because it takes time that every start would need. */
const loadLibrary = () => import('nodemailer')

type MailConfig = Pick<Config, 'smtpUrl' | 'dataDir' | 'publicUrl'>

export const openMail = (config: MailConfig, log: Log): Mail =>
  config.smtpUrl === undefined ? outbox(config, log) : smtp(config.smtpUrl, config)

/** Returns the message with addresses as objects, so that a comma in one cannot add a recipient. */
const envelope = (from: string, to: string, { subject, text, html }: MailMessage) => ({
  from: { name: 'Permeate', address: from },
  to: { name: '', address: to },
  subject,
  text,
  html,
})

function smtp(url: string, config: MailConfig): Mail {
  // nodemailer's defaults are minutes, for which an unresponsive server would delay a shutdown.
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
  const open = async () => (await loadLibrary()).createTransport({ url, ...timeouts })
  let transport: ReturnType<typeof open> | undefined
  const from = senderOf(url, config)
  return {
    send: async (to, message) => {
      transport ??= open()
      await (await transport).sendMail(envelope(from, to, message))
    },
  }
}

/** Returns the sender: `?from=` of SMTP_URL, its user if that is an address, or no-reply at PUBLIC_URL's host. */
function senderOf(url: string, config: MailConfig): string {
  const { searchParams, username } = new URL(url)
  const candidates = [searchParams.get('from') ?? '', decodeURIComponent(username)]
  return candidates.find(isAddress) ?? noReply(config)
}

function noReply({ publicUrl }: MailConfig): string {
  const host = new URL(publicUrl).hostname
  return `no-reply@${isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host : 'localhost'}`
}

/** Writes each mail as an `.eml` file into the data folder's `outbox`; names begin with the time, so that they sort. */
function outbox(config: MailConfig, log: Log): Mail {
  const folder = join(config.dataDir, 'outbox')
  return {
    send: async (to, message) => {
      const { createTransport } = await loadLibrary()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message: bytes } = await transport.sendMail(envelope(noReply(config), to, message))
      if (!Buffer.isBuffer(bytes)) throw new Error('The mail was not composed')
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${message.kind}-${newId().slice(0, 8)}.eml`
      const path = join(folder, name)
      // Mails contain tokens, so only the server's own user may read them.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Renamed when complete, so that readers never see a partial file.
      await writeFile(`${path}.part`, bytes, { mode: 0o600, flush: true })
      // To the disk, because the queue deletes a mail once it is sent.
      await renameDurably(`${path}.part`, path)
      log.info(`SMTP_URL is not set, so a mail was written to ${path}`)
    },
  }
}
