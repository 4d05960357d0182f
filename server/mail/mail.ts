/** How mail leaves: by SMTP where a server is configured, otherwise as files that can be opened. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import * as z from 'zod/mini'
import type { Config } from '../core/config.ts'
import { newId } from '../db/id.ts'
import type { Log } from '../core/log.ts'
import type { Letter } from './letters.ts'

export interface Mail {
  /** Throws where the mail could not be sent. `to` is an email address. */
  readonly send: (to: string, letter: Letter) => Promise<void>
}

const Address = z.email()
/** Whether a login can be written to. */
export const isAddress = (login: string): boolean => z.safeParse(Address, login).success

type MailConfig = Pick<Config, 'smtpUrl' | 'dataDir' | 'publicUrl'>

export const openMail = (config: MailConfig, log: Log): Mail =>
  config.smtpUrl === undefined ? outbox(config, log) : smtp(config.smtpUrl, config)

/** Address objects, not text: a comma in one must not make two recipients. */
const envelope = (from: string, to: string, { subject, text, html }: Letter) => ({
  from: { name: 'Permeate', address: from },
  to: { name: '', address: to },
  subject,
  text,
  html,
})

function smtp(url: string, config: MailConfig): Mail {
  // A server that does not answer must not hold up a stop for the minutes that are the defaults.
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
  const transport = createTransport({ url, ...timeouts })
  const from = senderOf(url, config)
  return {
    send: async (to, letter) => {
      await transport.sendMail(envelope(from, to, letter))
    },
  }
}

/** `?from=` of the SMTP_URL, or its user where that is an address, or no-reply at the host of PUBLIC_URL. */
function senderOf(url: string, config: MailConfig): string {
  const { searchParams, username } = new URL(url)
  const candidates = [searchParams.get('from') ?? '', decodeURIComponent(username)]
  return candidates.find(isAddress) ?? noReply(config)
}

function noReply({ publicUrl }: MailConfig): string {
  const host = new URL(publicUrl).hostname
  return `no-reply@${isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host : 'localhost'}`
}

/** One `.eml` file for each mail in the data folder's `outbox`, whose name begins with the time, so that they sort. */
function outbox(config: MailConfig, log: Log): Mail {
  const folder = join(config.dataDir, 'outbox')
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    send: async (to, letter) => {
      const { message } = await transport.sendMail(envelope(noReply(config), to, letter))
      if (!Buffer.isBuffer(message)) throw new Error('The mail was not composed')
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${letter.kind}-${newId().slice(0, 8)}.eml`
      const path = join(folder, name)
      // Who reads a mail can take over the account: for the server's own user only.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Whole from the moment that it is there.
      await writeFile(`${path}.part`, message, { mode: 0o600 })
      await rename(`${path}.part`, path)
      log.info(`A mail was written to ${path}, as SMTP_URL is not set`)
    },
  }
}
