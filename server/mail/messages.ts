/** Texts of the mails, plain and as HTML. */

export interface MailMessage {
  /** Part of the file name in the outbox. */
  readonly kind: 'recovery' | 'confirmation'
  readonly subject: string
  readonly text: string
  readonly html: string
}
interface Recipient {
  readonly login: string
  readonly first_name: string
}

/** Returns the mail with a link to choose a new password. */
export const recoveryMail = (publicUrl: string, to: Recipient, token: string): MailMessage =>
  compose({
    kind: 'recovery',
    subject: 'Reset your Permeate password',
    name: to.first_name,
    before: `We received a request to reset the password of your account ${to.login}. Choose a new password here:`,
    button: 'Choose a new password',
    link: `${publicUrl}/password/restore/?token=${token}`,
    after: 'The link works once and expires in one hour. If you did not request this, you can ignore this email.',
  })

/** Returns the mail with a link to confirm an email address. */
export const confirmationMail = (publicUrl: string, to: Recipient, token: string): MailMessage =>
  compose({
    kind: 'confirmation',
    subject: 'Confirm your email address for Permeate',
    name: to.first_name,
    before: `Please confirm that ${to.login} is your email address:`,
    button: 'Confirm email address',
    link: `${publicUrl}/email/confirm/?token=${token}`,
    after: 'The link works once and expires in 24 hours. If you did not create an account, you can ignore this email.',
  })

interface MailContent {
  readonly kind: MailMessage['kind']
  readonly subject: string
  readonly name: string
  readonly before: string
  readonly button: string
  readonly link: string
  readonly after: string
}

/** Returns the message with a greeting, one button and a sentence before and after it. */
function compose({ kind, subject, name, before, button, link, after }: MailContent): MailMessage {
  // Line breaks are removed, so that a name cannot add paragraphs to the mail.
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
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => entities[character]!)
