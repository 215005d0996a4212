import { Fault } from '../../ingest/domain/fault.ts'
import { insertMail } from '../../sql/queries/mail.ts'
import type { Queries } from '../../sql/session.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends a mail. @throws Fault Refused if the mail server does not accept it */
export type MailTransport = (mail: Mail) => Promise<void>

/** Opens the transport of mails: SMTP if MAIL_URL is set, else the table of mails for the operator. */
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
        'The mail server of MAIL_URL did not accept a message. Check MAIL_URL and the log of the mail server.',
        {},
        error,
      )
    }
  }
}
