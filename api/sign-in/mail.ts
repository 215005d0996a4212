import { Fault } from '../../ingest/domain/fault.ts'
import { insertMail } from '../../sql/queries/mail.ts'
import type { Queries } from '../../sql/session.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mails. @throws Fault Refused where the transport is unavailable */
export type MailTransport = (mail: Mail) => Promise<void>

/** By SMTP where MAIL_URL is set, else into the table of mails for the operator. */
export async function openMail(mailUrl: string | undefined, database: Queries, from: string): Promise<MailTransport> {
  if (!mailUrl) return (mail) => insertMail(database, mail.to, mail.subject, mail.text)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(mailUrl, { from, disableFileAccess: true, disableUrlAccess: true } as object)
  return async ({ to, subject, text }) => {
    try {
      await transport.sendMail({ from, to, subject, text })
    } catch (error) {
      throw new Fault(
        'Refused',
        'mail: wanted the server of MAIL_URL to take a message, it did not. Look at MAIL_URL and its log.',
        {},
        error,
      )
    }
  }
}
