/** What the mails say, plain and as HTML. */

export interface Letter {
  /** Names the file in the outbox. */
  readonly kind: 'recovery' | 'confirmation'
  readonly subject: string
  readonly text: string
  readonly html: string
}
interface Recipient {
  readonly login: string
  readonly first_name: string
}

/** The link to a new password. */
export const recoveryLetter = (publicUrl: string, to: Recipient, token: string): Letter =>
  letter({
    kind: 'recovery',
    subject: 'Your new password for Permeate',
    name: to.first_name,
    before: `A new password was asked for, for the account ${to.login}. Choose one here:`,
    button: 'Choose a new password',
    link: `${publicUrl}/password/restore/?token=${token}`,
    after: 'The link works once, within one hour. If it was not you who asked, nothing needs to be done.',
  })

/** The link that shows an address to be the person's own. */
export const confirmationLetter = (publicUrl: string, to: Recipient, token: string): Letter =>
  letter({
    kind: 'confirmation',
    subject: 'Please confirm your email address for Permeate',
    name: to.first_name,
    before: `Please confirm that ${to.login} is your email address:`,
    button: 'Confirm the email address',
    link: `${publicUrl}/email/confirm/?token=${token}`,
    after: 'The link works once, within 24 hours. If you have no account, nothing needs to be done.',
  })

interface LetterContent {
  readonly kind: Letter['kind']
  readonly subject: string
  readonly name: string
  readonly before: string
  readonly button: string
  readonly link: string
  readonly after: string
}

function letter({ kind, subject, name, before, button, link, after }: LetterContent): Letter {
  // One line: a name must not be able to add a paragraph of its own.
  const singleLineName = name.replace(/\s+/g, ' ').trim()
  const greeting = singleLineName === '' ? 'Hello,' : `Hello ${singleLineName},`
  return {
    kind,
    subject,
    text: `${greeting}\n\n${before}\n\n${link}\n\n${after}\n`,
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(subject)}</title>
<body style="margin:0;padding:32px 16px;background:#f4f6f8;color:#17212b;font:16px/1.5 sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<p style="margin:0 0 16px">${escapeHtml(greeting)}</p>
<p style="margin:0 0 24px">${escapeHtml(before)}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(link)}"
style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6bcb;color:#ffffff;text-decoration:none"
>${escapeHtml(button)}</a></p>
<p style="margin:0 0 24px;font-size:13px;color:#55626f;word-break:break-all">${escapeHtml(link)}</p>
<p style="margin:0;font-size:13px;color:#55626f">${escapeHtml(after)}</p>
</div>
</body>
</html>
`,
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, found => entities[found]!)
