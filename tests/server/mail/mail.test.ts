/** Mail by SMTP, on a local server, and as files. */
import { readdir, stat } from 'node:fs/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { queueDemoConfirmations } from '../../../server/demo/mails.ts'
import { confirmationMail, recoveryMail } from '../../../server/mail/messages.ts'
import { openMail } from '../../../server/mail/mail.ts'
import { readMail, readOutbox, type ReadMail } from '../../support/outbox.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'
import { newAccount } from '../support/subjects.ts'

interface Delivered extends ReadMail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  readonly user: string | undefined
}

/** Starts an SMTP server that accepts one password and records mails. */
async function startSmtp() {
  const delivered: Delivered[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'p@ss/word' ? done(null, { user: username ?? '' }) : done(new Error('Wrong password')),
    onData: (stream, { envelope, user }, done) => {
      const { mailFrom, rcptTo } = envelope
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        const from = mailFrom === false ? '' : mailFrom.address
        const to = rcptTo.map(one => one.address)
        delivered.push({ ...readMail(Buffer.concat(chunks).toString('utf8')), envelope: { from, to }, user })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  afterAll(() => new Promise<void>(resolve => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { delivered, port }
}

const quiet = { info: () => undefined, error: () => undefined }
const ada = { login: 'ada@example.com', first_name: 'Ada' }

describe('by SMTP', async () => {
  const { delivered, port } = await startSmtp()
  const publicUrl = 'https://permeate.example.com'
  const mailOver = (url: string) => openMail(readConfig({ SMTP_URL: url, PUBLIC_URL: publicUrl }), quiet)

  test('a forgotten password sends a mail with a link to PUBLIC_URL, as plain text and HTML', async () => {
    const environment = { SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: `${publicUrl}/` }
    const { call, db, mails, dataDir } = await startServer({ environment })
    await newAccount(db, 'vendor', { login: 'tomas@example.com', first_name: 'Tomáš' })
    await call('POST', '/api/v3/auth/forgot-password/dashboard', { body: { login: 'tomas@example.com' } })
    await mails.sendDue()
    const [mail] = delivered
    expect(mail).toMatchObject({
      to: 'tomas@example.com',
      from: 'Permeate <no-reply@permeate.example.com>',
      subject: 'Reset your Permeate password',
      envelope: { from: 'no-reply@permeate.example.com', to: ['tomas@example.com'] },
    })
    expect(mail!.link).toMatch(/^https:\/\/permeate\.example\.com\/password\/restore\/\?token=[\w-]{43}$/)
    expect(mail!.text).toContain('Hello Tomáš,')
    expect(mail!.html).toContain(`href="${mail!.link}"`)
    expect(mail!.html).toContain('Hello Tomáš,')
    expect(await readOutbox(dataDir)).toEqual([])
  })

  test.each([
    ['?from=water@example.com', 'water@example.com', undefined],
    ['', 'mailer@example.com', 'mailer@example.com'],
  ])('SMTP_URL may have credentials and a sender (%j)', async (query, from, user) => {
    const credentials = user === undefined ? '' : `${encodeURIComponent(user)}:p%40ss%2Fword@`
    await mailOver(`smtp://${credentials}127.0.0.1:${port}${query}`).send(ada.login, recoveryMail(publicUrl, ada, 'x'))
    expect(delivered.at(-1)).toMatchObject({ envelope: { from, to: [ada.login] }, user })
  })

  test('a person’s name and login can add neither recipients nor HTML nor lines', async () => {
    const before = delivered.length
    const hostile = { login: '"a, b@evil.example"@example.com', first_name: '<b>Ada</b>\n\nGo to "evil" & co' }
    const letter = confirmationMail(publicUrl, hostile, 'token')
    expect(letter.html).toContain('Hello &lt;b&gt;Ada&lt;/b&gt; Go to &quot;evil&quot; &amp; co,')
    expect(letter.text.split('\n')[0]).toBe('Hello <b>Ada</b> Go to "evil" & co,')
    await mailOver(`smtp://127.0.0.1:${port}`).send(ada.login, letter)
    expect(delivered.slice(before).map(mail => mail.envelope.to)).toEqual([[ada.login]])
  })

  test('a mail that cannot be sent is logged, and the call succeeds', async () => {
    for (const url of ['smtp://127.0.0.1:1', `smtp://someone:wrong@127.0.0.1:${port}`]) {
      const { call, db, mails, log } = await startServer({ environment: { SMTP_URL: url } })
      await newAccount(db, 'vendor', { login: ada.login })
      const answer = await call('POST', '/api/v3/auth/forgot-password/dashboard', { body: { login: ada.login } })
      expect(answer.json()).toEqual({ data: {} })
      await mails.sendDue()
      expect(log).toEqual(['Could not send a recovery mail, the next attempt is in 10 seconds'])
    }
  })
})

describe('as files', () => {
  test('each mail is a file in the outbox that the log names and only the server’s user can read', async () => {
    const dataDir = await temporaryFolder()
    const log: string[] = []
    const mail = openMail(readConfig({ DATA_DIR: dataDir }), { ...quiet, info: line => log.push(line) })
    await mail.send(ada.login, recoveryMail('http://127.0.0.1:8080', ada, 'a=B_c'))
    await mail.send(ada.login, confirmationMail('http://127.0.0.1:8080', ada, 'd-e'))
    const names = (await readdir(join(dataDir, 'outbox'))).toSorted()
    expect(names).toEqual([
      expect.stringMatching(/-recovery-.*\.eml$/),
      expect.stringMatching(/-confirmation-.*\.eml$/),
    ])
    expect(log).toEqual(names.map(name => expect.stringContaining(join(dataDir, 'outbox', name))))
    expect((await stat(join(dataDir, 'outbox', names[0]!))).mode & 0o777).toBe(0o600)
    expect(await readOutbox(dataDir)).toMatchObject([
      {
        to: ada.login,
        link: 'http://127.0.0.1:8080/password/restore/?token=a=B_c',
        from: 'Permeate <no-reply@localhost>',
      },
      { to: ada.login, link: 'http://127.0.0.1:8080/email/confirm/?token=d-e' },
    ])
  })

  test('the demo’s unconfirmed users have a mail with a working link', async () => {
    const { call, db, clock, mails: queue, dataDir } = await startServer()
    await queueDemoConfirmations(db, clock.now())
    await queue.sendDue()
    const mails = await readOutbox(dataDir)
    expect(mails.map(mail => mail.to).toSorted()).toEqual(['jonas.weber@example.com', 'olu.adeyemi@example.com'])
    const token = new URL(mails[0]!.link).searchParams.get('token')!
    const answer = await call('POST', '/api/v3/auth/email/confirm', { headers: { 'email-confirmation-token': token } })
    expect(answer.statusCode).toBe(200)
    const [user] = await db.select().from(accounts).where(eq(accounts.login, mails[0]!.to))
    expect(user!.email_confirmed).toBe(true)
  })
})
